package main

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

//go:embed peer.py
var peerScript string

// findPeer gives a python3 that has aiohttp: the machine's own, or one in a
// virtual environment of the user's cache, which is made from the package index.
func findPeer() (python, why string) {
	has := func(python string) bool { return exec.Command(python, "-c", "import aiohttp").Run() == nil }
	if has("python3") {
		return "python3", ""
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err.Error()
	}
	venv := filepath.Join(cache, "aircheck", "bench-record")
	python = filepath.Join(venv, "bin", "python")
	if has(python) {
		return python, ""
	}
	for _, args := range [][]string{{"python3", "-m", "venv", venv}, {python, "-m", "pip", "install", "--quiet", "aiohttp"}} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
			return "", fmt.Sprintf("%s: %v %s", filepath.Base(args[0]), err, first)
		}
	}
	return python, ""
}

func peerCommand(python string, l load, address string) *exec.Cmd {
	return exec.Command(python, "-c", peerScript, address, strconv.Itoa(l.Streams), before, strconv.Itoa(digits))
}
