# One target per folder of harness/, each linking only folders that come before it:
#
#   base → { sandbox, model } → wire → { inputs, truth, build, store } → judge → evaluate → profile → optimize → cli
#   wire, inputs, truth → keeper (own process)   wire, simt → worker (own process)   model, store → report → cli
set(MSKB_MAY_LINK_base)
set(MSKB_MAY_LINK_wire base model)
set(MSKB_MAY_LINK_sandbox base)
set(MSKB_MAY_LINK_model base)
set(MSKB_MAY_LINK_simt base)
set(MSKB_MAY_LINK_inputs base wire model)
set(MSKB_MAY_LINK_truth base wire model)
set(MSKB_MAY_LINK_build base wire model sandbox simt)
set(MSKB_MAY_LINK_store base model)
set(MSKB_MAY_LINK_judge base wire model)
set(MSKB_MAY_LINK_evaluate base wire sandbox model inputs truth build store judge)
set(MSKB_MAY_LINK_report base model store)
set(MSKB_MAY_LINK_profile base wire sandbox model build judge evaluate)
set(MSKB_MAY_LINK_optimize base wire sandbox model build store judge evaluate profile)
set(MSKB_MAY_LINK_cli base wire sandbox model inputs truth build store judge evaluate profile optimize report)
set(MSKB_MAY_LINK_keeper base wire model inputs truth)
set(MSKB_MAY_LINK_worker base model wire simt)

# mskb_check_layer(<folder> <linked folder>...): stops the configuration when a folder links one that comes after it.
function(mskb_check_layer folder)
  foreach(linked IN LISTS ARGN)
    if(NOT linked IN_LIST MSKB_MAY_LINK_${folder})
      message(FATAL_ERROR "harness/${folder} may not link harness/${linked}; see cmake/layers.cmake")
    endif()
  endforeach()
endfunction()

# mskb_layer(<folder> SOURCES ... [LINKS <folders>] [LIBRARIES <third-party targets>]): the static library mskb_<folder>.
function(mskb_layer folder)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;LIBRARIES" ${ARGN})
  mskb_check_layer(${folder} ${ARG_LINKS})
  add_library(mskb_${folder} STATIC ${ARG_SOURCES})
  target_include_directories(mskb_${folder} PUBLIC ${PROJECT_SOURCE_DIR}/harness ${PROJECT_SOURCE_DIR}/harness/include)
  list(TRANSFORM ARG_LINKS PREPEND mskb_)
  target_link_libraries(mskb_${folder} PUBLIC ${ARG_LINKS} ${ARG_LIBRARIES} PRIVATE mskb_warnings)
endfunction()
