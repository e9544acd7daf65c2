# Sourced by quickstart.sh and test.sh: installs what the distribution has and is not there yet. Debian 12's names; Ubuntu 24.04 has the same ones.
packages=(ccache g++ cmake ninja-build pkg-config git python3 libyaml-cpp-dev libfmt-dev nlohmann-json3-dev libcli11-dev libgtest-dev
  libgmock-dev libbenchmark-dev libssl-dev libzstd-dev libboost-context-dev libcurl4-openssl-dev libcap2-bin python3-venv
  python3-yaml python3-jsonschema)

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  echo "installing: ${missing[*]}"
  sudo=""
  if [ "$(id -u)" -ne 0 ]; then
    sudo="sudo"
  fi
  if ! command -v apt-get >/dev/null; then
    echo "apt-get is not here; install by hand: ${missing[*]}" >&2
    exit 2
  fi
  $sudo apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
# A browser for the tests of the page, for test.sh alone. Without it they are skipped, so that a distribution that lacks the packages (Ubuntu
# has chromium as a snap only) is no hindrance.
if [ "${MSKB_WITH_BROWSER:-}" = 1 ] && ! command -v chromedriver >/dev/null && command -v apt-get >/dev/null; then
  sudo=""
  [ "$(id -u)" -eq 0 ] || sudo="sudo"
  apt-cache show chromium-driver >/dev/null 2>&1 || $sudo apt-get update -qq || true
  if apt-cache show chromium-driver >/dev/null 2>&1; then
    echo "installing: chromium chromium-driver python3-selenium"
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends chromium chromium-driver python3-selenium fonts-dejavu-core \
      >/dev/null || echo "no browser could be installed; the tests of the page are skipped"
  fi
fi
# A toolkit in its usual place counts even when it is not on PATH.
if ! command -v nvcc >/dev/null && [ -x /usr/local/cuda/bin/nvcc ]; then
  export PATH="$PATH:/usr/local/cuda/bin"
fi
# The second configuration of a build reuses the first one's objects.
export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
