# shellcheck shell=bash
# What the steps share: running one and timing it, installing what it needs, the end.
#
# A line with LEFT OUT in what a step prints says that something could not be tried, and why: `NAME: LEFT OUT, REASON`. So do
# the closing lines of test runners that have skipped something. All of them stand in the summary, and with CI=true they are
# failures.

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
log="$work/log"
touch "$log" "$work/times" "$work/failed" "$work/left-out"

# What counts in the summary: how many tests there were, and how they ended.
closing='^ *(Running|Doc-tests)|^test result:|^random programs:|^growing: |^Ran [0-9]|^OK|^traces:|^observers:|^runs: |^packages: |^neovim:|^vscode:|^# pass|^wasm: |^page: |passed in|differ$|^a C[+]{2} program|^random calls|^found by|^cubes|^certified:|^shellcheck:|^installed:|^released:|^wheel:|^crates:|^npm:|^oldest Rust:|^compiles for|^to be set:'
# What tells of a failure among what a failed step has printed.
trouble='^(test .* FAILED|test result: FAILED|error|FAILED|DIFFERS|not ok|---- .* stdout)|: error|panicked at'
# What tells of something that could not be tried.
gap='LEFT OUT|skipped=[1-9]|^# skipped [1-9]|[1-9][0-9]* skipped'

# step NAME FUNCTION: the function ends at its first command that fails, the run goes on.
step() {
    local name="$1" start=$SECONDS code
    if [[ "$wanted" = *[!\ ]* && "$wanted" != *" $2 "* ]]; then return; fi
    printf '\n== %s\n' "$name"
    set +e
    (
        (
            set -e
            "$2"
        )
        code=$?
        # Of what has run within: its processor time in user mode, as 12m3.4s.
        times >"$work/processor"
        exit "$code"
    ) </dev/null 2>&1 | tee "$work/step"
    code=${PIPESTATUS[0]}
    set -e
    if [ "$code" != 0 ]; then
        echo "$name: FAILED, exit code $code" >>"$work/failed"
        { grep -E "$trouble" "$work/step" || tail -5 "$work/step"; } | head -40 | sed 's/^/    /' >>"$work/failed"
    fi
    { grep -E "$gap" "$work/step" || true; } | sed "s/^/$name: /" >>"$work/left-out"
    { grep -E "$closing" "$work/step" || true; } >>"$log"
    printf '%6s s, processor %11s  %s\n' "$((SECONDS - start))" "$(sed -n '2s/ .*//p' "$work/processor")" "$name" >>"$work/times"
}

# What has failed so far makes the rest not worth the time.
stop_if_failed() {
    if [ -s "$work/failed" ]; then finish; fi
}

# The summary, and the exit code of the run.
finish() {
    printf '\n== summary\n'
    cat "$log" "$work/times"
    printf '%6s s  all\n' "$SECONDS"
    local code=0
    if [ -s "$work/left-out" ]; then
        printf '\n== not tried\n'
        cat "$work/left-out"
        if [ "${CI:-}" = true ]; then code=1; fi
    fi
    if [ -s "$work/failed" ]; then
        printf '\n== failed\n'
        cat "$work/failed"
        code=1
    fi
    exit "$code"
}

# need PACKAGE [COMMAND]: installs a Debian package unless it is there, or its command, which may come from elsewhere. One at a
# time: what cannot be installed keeps nothing else from it.
need() {
    local package="$1" command="${2:-}"
    if [ -n "$command" ] && command -v "$command" >/dev/null; then return; fi
    if dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q ' installed$'; then return; fi
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        echo "$package: LEFT OUT, it is not installed, and only root installs Debian's packages"
        return
    fi
    if [ ! -e "$work/updated" ]; then
        apt-get update -qq -o Acquire::Retries=5
        touch "$work/updated"
    fi
    if DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends -o Acquire::Retries=5 \
        -o DPkg::Lock::Timeout=300 "$package" >"$work/apt" 2>&1; then
        echo "installed: $package"
    else
        cat "$work/apt"
        echo "$package: LEFT OUT, apt-get cannot install it"
    fi
}

# environment FOLDER MODULES PACKAGE...: a virtual environment for Python that has the modules.
environment() {
    local folder="$1" modules="$2"
    shift 2
    if "$folder/bin/python" -c "import $modules" 2>/dev/null; then return; fi
    python3 -m venv --clear "$folder"
    pip "$folder" "$@"
}

# pip FOLDER PACKAGE...: into that environment.
pip() {
    "$1/bin/pip" install --quiet --disable-pip-version-check --retries 5 "${@:2}"
}
