# `make run` and `make test` are all a fresh machine needs.
.PHONY: run test build release bench format lint setup clean

run: build
	.build/debug/visitant run bots/first_visit.lua

test: setup
	swift test

build: setup
	swift build --product visitant

release: setup
	swift build -c release --product visitant

# SwiftPM builds one product a call.
bench: release
	swift build -c release --product visitant-bench
	.build/release/visitant-bench

format:
	swift format -i -r Package.swift Sources Tests

lint:
	swift format lint --strict -r Package.swift Sources Tests

setup:
	@.ci/setup

clean:
	swift package clean
