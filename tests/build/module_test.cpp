#include "truth/module.hpp"

#include <dlfcn.h>

#include "base/errors.hpp"
#include "build/module_source.hpp"
#include "build_fixture.hpp"

namespace mskb::testing {

const std::string scale_oracle =
    "#include \"mskb/oracle.hpp\"\n"
    "struct out {\n"
    "  MSKB_FN static mskb::Value value(const auto& x, const auto&, int64_t i) {\n"
    "    const double want = x.factor * x.in[i] + 0 * x.n;\n"
    "    return {want, want};\n  }\n};\n"
    "using stages = mskb::List<>;\nusing outputs = mskb::List<out>;\n";

class ModuleTest : public BuildTest {
 protected:
  void write_oracle(const std::string& text) {
    task_.directory = folder() / "scale";
    std::filesystem::create_directories(task_.directory);
    write_file_atomically(task_.directory / "oracle.hpp", text);
  }
};

TEST_F(ModuleTest, ComputesTheOracle) {
  write_oracle(scale_oracle);
  precision_ = Precision::bf16;
  const std::filesystem::path object = builder().task_module(problem());
  void* library = ::dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << ::dlerror();
  const auto function = reinterpret_cast<truth::ModuleFunction>(::dlsym(library, truth::module_symbol));
  ASSERT_NE(function, nullptr);
  const truth::Module& module = *function();
  EXPECT_EQ(module.abi, truth::module_abi);

  const std::uint16_t contents[] = {0x3F80, 0xC000};  // 1, -2
  truth::View view{};
  view.spec.argument_count = 4;
  view.spec.dim_count = 1;
  view.spec.dims[0] = 2;
  for (int i : {0, 1}) {
    view.spec.arguments[i].role = i == 0 ? wire::ArgumentRole::in : wire::ArgumentRole::out;
    view.spec.arguments[i].type = ElementType::bf16;
    view.spec.arguments[i].elements = 2;
  }
  view.spec.arguments[3].role = wire::ArgumentRole::scalar;
  view.spec.arguments[3].value = 1.7;
  view.contents[0] = contents;
  double want[2], magnitude[2];
  ASSERT_EQ(module.want(view, 1, 2, nullptr, want, magnitude, nullptr), 0);
  EXPECT_EQ(want[0], 1.703125);  // the scalar as a candidate receives it: 1.7 rounded to BF16
  EXPECT_EQ(want[1], -3.40625);
}

TEST_F(ModuleTest, IsCachedUntilTheOracleChanges) {
  count_compiler_runs();
  write_oracle(scale_oracle);
  const auto first = builder().task_module(problem());
  EXPECT_EQ(builder().task_module(problem()), first);
  EXPECT_EQ(compiler_runs(), 1);
  write_oracle(scale_oracle + "// changed\n");
  EXPECT_NE(builder().task_module(problem()), first);
  EXPECT_EQ(compiler_runs(), 2);
}

TEST_F(ModuleTest, OracleThatDoesNotCompileIsWrongInput) {
  write_oracle("int x = nothing;\n");
  try {
    builder().task_module(problem());
    ADD_FAILURE() << "it compiled";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("scale/oracle.hpp: does not compile for scale/fp32"));
    EXPECT_THAT(error.what(), HasSubstr("'nothing' was not declared"));
  }
}

TEST_F(ModuleTest, SourceNamesEveryArgument) {
  const std::string source = make_module_source(problem(), Backend::cuda);
  EXPECT_THAT(source, HasSubstr("#include \"truth/module_cuda.cuh\""));
  EXPECT_THAT(source, HasSubstr("mskb::truth::Reader in;"));
  EXPECT_THAT(source, HasSubstr("std::int64_t n;"));
  EXPECT_THAT(source, HasSubstr("double factor;"));
  EXPECT_THAT(source, HasSubstr("MSKB_TASK_OUTPUT(out, 1)\nMSKB_TASK_MODULE(mskb_task::Case)\n"));
}

}  // namespace mskb::testing
