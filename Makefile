# What people run. `make` alone prints the targets.
.DEFAULT_GOAL := help

# One configuration for the command and its tests, so that everything is compiled once.
FLAGS := -c release -Xswiftc -enable-testing --explicit-target-dependency-import-check error
PGHD := .build/release/pghd
# What people install, with Swift's runtime inside, which makes it faster and smaller than with shared libraries.
INSTALLED := .build-install/release/pghd
# It looks for libraries where the system has them, never in its own folder, which others may be able to write to; and
# the addresses of functions can't be changed once it runs.
LINKING := --disable-local-rpath -Xlinker -z -Xlinker now
# No path of the machine that built it. And what Debian's compilers do by themselves: a call that would write past a buffer
# ends it, as does a stack that grows over its end. The former in C++ alone (BoringSSL): with Swift, it makes two different
# functions of one in C's headers. Not -fcf-protection: the processor heeds it only if all of the command has it, and what
# Swift compiles has not.
COMPILING := -Xcc "-ffile-prefix-map=$(CURDIR)=." -Xcxx "-ffile-prefix-map=$(CURDIR)=." \
  -Xswiftc -file-prefix-map -Xswiftc "$(CURDIR)=." \
  -Xcc -fstack-clash-protection -Xcxx -fstack-clash-protection -Xcxx -D_FORTIFY_SOURCE=2
PREFIX ?= /usr/local
# Where shells look for completions, below PREFIX/share.
BASH_COMPLETION := bash-completion/completions/pghd
ZSH_COMPLETION := zsh/site-functions/_pghd
# Debian's zsh looks here for the completions of packages, and in site-functions only below /usr/local.
PACKAGE_ZSH_COMPLETION := zsh/vendor-completions/_pghd
FISH_COMPLETION := fish/vendor_completions.d/pghd.fish
DOCUMENTS = $(DESTDIR)$(PREFIX)/share/doc/pghd
# The sources of what is linked in: their licences are installed, too.
CHECKOUTS := .build-install/checkouts
PACKAGES := libxml2-dev libzip-dev libisal-dev libssl-dev libcurl4-openssl-dev libsqlite3-dev pkg-config
PACKAGING_PACKAGES := binutils dpkg-dev
# These include glewlwyd, an identity server, which nobody who only builds wants. The tests make a package, too.
TEST_PACKAGES := libxml2-utils unzip python3 python3-venv openssl strace glewlwyd rnbyc sqlite3 nghttp2-server mandoc \
  $(PACKAGING_PACKAGES)
# For the long tests only.
ACCEPTANCE_PACKAGES := chromium chromium-driver curl
# For the demo, in which curl is the browser.
DEMO_PACKAGES := curl

# A backtrace shows where a crash was among tests that run in parallel. Hundreds of tests at once wait for each other
# longer than their clients do, and have so many files open that Foundation's Process reads past the end of its list
# of them.
SWIFT_TEST := SWIFT_BACKTRACE=enable=yes,color=no SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=16 \
  Tests/swift_test.sh $(FLAGS) --skip-build

# Tests that wait for a server: next to those that keep every core busy for minutes, they would wait too long.
WAITING_TESTS := ^(HTTPTransport|OpenIDConnect|IntegrationServer|Delivery)Tests
# Passphrases keep every core busy, too: next to them a server has taken longer than half a minute to read 2 MB.
KEYSTORE_TESTS := ^CredentialStoreTests|^CommandTests.*SignIn
# Some of these convert and deliver whole exports on the threads that their servers also run on: next to passphrases,
# each of which costs seconds of a busy core, their own sign-in has timed out.
LIBRARY_TESTS := ^LibraryTests

# Against servers that misbehave on request: exactly once, whatever happens.
DELIVERY_TESTS := test_sync test_faults test_runs test_open_outcomes test_lagging
# Servers that know only keys, several machines, versions of one sample.
KEY_TESTS := test_keys test_shared_keys test_two_machines test_versions test_remapping test_verify test_recognition \
  test_doubtful
# Servers of others, and what stands in front of them.
SERVER_TESTS := test_interoperation test_companions test_send test_odd_servers test_clock test_privacy test_gzip \
  test_refusals test_header_file test_gateways test_throttling
# What else a pipeline meets.
PIPELINE_TESTS := test_machine test_dry_run test_forget test_status test_reports test_package test_restored \
  test_partial_exports test_durability test_other_users
# The longest of them, which wait most.
LONG_PIPELINE_TESTS := test_watch test_mishaps
# Lists of about the same length, the longest first, so that none is left to run alone at the end.
TEST_LISTS := test-long-pipelines test-keys test-delivery test-servers test-pipelines test-sign-in test-documents \
  test-server test-signed-in test-real-server

# Installs the packages of a list that are missing, with sudo when not root.
define install-missing
	@missing=""; for package in $(1); do \
	  dpkg-query -W -f '$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$package"; \
	done; \
	if [ -n "$$missing" ]; then \
	  echo "installing system packages:$$missing"; \
	  if [ "$$(id -u)" = 0 ]; then run=""; else run="sudo"; fi; \
	  $$run apt-get update -qq && $$run env DEBIAN_FRONTEND=noninteractive \
	    apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
	fi
endef

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

packages:
	$(call install-missing,$(PACKAGES))
	@command -v swift >/dev/null || { echo "make: swift is missing (expected Swift 6.2 or later): see https://www.swift.org/install/linux/"; exit 1; }

setup: packages ## install the system packages that are missing, those of the tests too
	$(call install-missing,$(TEST_PACKAGES))

build: packages ## build the command, as it is installed
	swift build -c release --static-swift-stdlib $(COMPILING) $(LINKING) --scratch-path .build-install --product pghd

# Built by product: otherwise whatever else is in the packages, such as plugins and their tools, would be compiled too.
test: setup lint ## run all tests but the long ones
	swift build $(FLAGS) --product pghdPackageTests
	swift build $(FLAGS) --product pghd
	$(SWIFT_TEST) --skip '$(WAITING_TESTS)' --skip '$(KEYSTORE_TESTS)' --skip '$(LIBRARY_TESTS)'
	$(SWIFT_TEST) --filter '$(WAITING_TESTS)'
	$(SWIFT_TEST) --filter '$(KEYSTORE_TESTS)'
	$(SWIFT_TEST) --filter '$(LIBRARY_TESTS)'
	@$(MAKE) --no-print-directory -j5 --output-sync=target $(TEST_LISTS)
	@python3 Tests/points.py

# Tests that Swift does not run, after make test has built the command; five lists at a time, since most of them wait.
test-documents: validators
	python3 Tests/Validators/test_faults.py
	python3 profiles/guide.py --check
	python3 samples/make_tables.py --check
	python3 packaging/man/make.py $(PGHD) --check
	command -v mandoc >/dev/null && ! mandoc -T lint -W warning packaging/man/*.1 | grep -v 'missing date'
	python3 Tests/Validators/validate.py profiles samples/bundles/*.ndjson
	@for script in Tests/Independent/test_*.py; do echo "python3 $$script"; python3 $$script || exit 1; done
	python3 Tests/Independent/fuzz.py $(PGHD) 0 20
	python3 Tests/Independent/fuzz.py $(PGHD) 1495 1
	python3 Tests/Independent/fuzz.py $(PGHD) 2016 1

test-delivery:
	@for script in $(DELIVERY_TESTS); do echo "$$script"; python3 Tests/Delivery/$$script.py || exit 1; done
	python3 Tests/Delivery/walk.py 1 2

test-keys:
	@for script in $(KEY_TESTS); do echo "$$script"; python3 Tests/Delivery/$$script.py || exit 1; done
	python3 Tests/Delivery/test_key_faults.py KeyFaults

test-pipelines:
	python3 Tests/Keystore/test_keystore.py
	@for script in $(PIPELINE_TESTS); do echo "$$script"; python3 Tests/Delivery/$$script.py || exit 1; done

test-servers:
	@for script in $(SERVER_TESTS); do echo "$$script"; python3 Tests/Delivery/$$script.py || exit 1; done

test-long-pipelines:
	@for script in $(LONG_PIPELINE_TESTS); do echo "$$script"; python3 Tests/Delivery/$$script.py || exit 1; done

test-sign-in: sign-in-environment
	.venv-sign-in/bin/python Tests/Keystore/test_format.py
	.venv-sign-in/bin/python Tests/SignIn/test_rigs.py
	.venv-sign-in/bin/python Tests/SignIn/test_sign_in.py

test-signed-in: sign-in-environment fhir-server-environment
	.venv-sign-in/bin/python Tests/Delivery/test_signed_in.py

test-real-server: fhir-server-environment
	python3 Tests/Delivery/test_real_server.py

test-server:
	Tests/Fuzzing/scanner.sh
	Tests/setup.sh .venv-server Tests/Server/requirements.txt
	@for script in Tests/Server/test_*.py; do \
	  echo ".venv-server/bin/python $$script"; .venv-server/bin/python $$script || exit 1; done

fhir-server-environment:
	Tests/setup.sh .venv-fhir-server Tests/Delivery/requirements.txt

sign-in-environment:
	Tests/setup.sh .venv-sign-in Tests/SignIn/requirements.txt

validators:
	Tests/setup.sh .venv Tests/Validators/requirements.txt
	.venv/bin/python Tests/Validators/definitions.py

acceptance: test fuzz ## run the long tests too
	$(call install-missing,$(ACCEPTANCE_PACKAGES))
	PGHD_KILLS=200 python3 Tests/Delivery/test_runs.py
	PGHD_KILLS=200 python3 Tests/Delivery/test_keys.py
	PGHD_MINUTE=60 python3 Tests/Delivery/test_faults.py FaultMatrix
	PGHD_MINUTE=60 python3 Tests/Delivery/test_key_faults.py Matrix
	python3 Tests/Delivery/walk.py 1000 60
	PGHD_DAYS=30 .venv-sign-in/bin/python Tests/Delivery/test_signed_in.py
	PGHD_FUZZ_DOCUMENTS=100000 swift test $(FLAGS) --skip-build --filter ChunkEquivalence
	python3 Tests/Independent/fuzz.py $(PGHD) 0 2000
	PGHD_KILLS=200 python3 Tests/Keystore/test_keystore.py ProcessTests
	Tests/setup.sh .venv-server Tests/Server/requirements-acceptance.txt
	Tests/Server/fuzz_api.sh $(CURDIR)/$(PGHD) 200
	.venv-server/bin/python Tests/Server/browser.py $(PGHD)
	Tests/Acceptance/demo-twice.sh
	$(MAKE) bench SIZE=1GB PEAKS=100MB,1GB,10GB

fuzz: ## fuzz the parsers of a sign-in and the scanner, a million documents and FUZZ_SECONDS=300, after make test
	Tests/Fuzzing/scanner.sh $(or $(FUZZ_SECONDS),300)
	PGHD_FUZZ_DOCUMENTS=1000000 swift test $(FLAGS) --skip-build --filter 'CanonicalScanner|ParserEquivalence'
	PGHD_FUZZ_DOCUMENTS=200000 swift test $(FLAGS) --skip-build --filter S42

demo: build ## convert a year of data (or EXPORT=…); serve, sign in, sync, verify, sync again
	$(call install-missing,$(DEMO_PACKAGES))
	@Tests/Acceptance/demo.sh $(INSTALLED) $(EXPORT)

bench: build ## measure against xmllint on this machine (SIZE=100MB, ROUNDS=5)
	@python3 Tests/Benchmarks/bench.py --command $(INSTALLED) --size $(or $(SIZE),100MB) --rounds $(or $(ROUNDS),5) $(if $(PEAKS),--peaks $(PEAKS))
	@python3 Tests/Benchmarks/odd_workouts.py $(INSTALLED) $(or $(ROUNDS),5)
	@Tests/setup.sh .venv-server Tests/Server/requirements.txt
	@.venv-server/bin/python Tests/Server/bench.py $(INSTALLED)
	@python3 Tests/Benchmarks/delivery.py $(INSTALLED) $(or $(ROUNDS),5)

lint: ## check the format of the sources
	swift format lint --strict --recursive --parallel Package.swift Sources Tests

format: ## format the sources
	swift format --in-place --recursive --parallel Package.swift Sources Tests

profiles: ## put profiles/ into the program, bring the implementation guide up to date
	python3 profiles/embed.py
	python3 profiles/guide.py

man: build ## bring the manual pages up to date
	python3 packaging/man/make.py $(INSTALLED)

# Everybody can read what is installed, whatever the umask.
install: build ## install the command, manual pages, completions, profiles and documents below PREFIX
	install -D -m 755 $(INSTALLED) "$(DESTDIR)$(PREFIX)/bin/pghd"
	@umask 022; for shell in bash:$(BASH_COMPLETION) zsh:$(ZSH_COMPLETION) fish:$(FISH_COMPLETION); do \
	  file="$(DESTDIR)$(PREFIX)/share/$${shell#*:}"; echo "$$file"; \
	  mkdir -p "$$(dirname "$$file")" && $(INSTALLED) --generate-completion-script "$${shell%%:*}" >"$$file" || exit 1; \
	  sed -i '1{/^#!/d}' "$$file" && chmod 644 "$$file" || exit 1; \
	done
	install -D -m 644 -t "$(DESTDIR)$(PREFIX)/share/man/man1" packaging/man/*.1
	install -D -m 644 -t "$(DESTDIR)$(PREFIX)/share/pghd/profiles" profiles/*.json
	install -D -m 644 -t "$(DESTDIR)$(PREFIX)/share/pghd/profiles/guide" profiles/guide/*.json
	install -D -m 644 -t "$(DESTDIR)$(PREFIX)/share/pghd/profiles/examples" profiles/examples/*.json
	install -D -m 644 -t "$(DOCUMENTS)" README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE
	install -D -m 644 -t "$(DOCUMENTS)/docs" docs/*.md docs/pghd-watch.service
	sed -i 's|^ExecStart=/usr/local/bin/|ExecStart=$(PREFIX)/bin/|' "$(DOCUMENTS)/docs/pghd-watch.service"
	install -D -m 644 -t "$(DOCUMENTS)/docs/decisions" docs/decisions/*.md
	install -D -m 644 -t "$(DOCUMENTS)/licences" packaging/licences/*
	@for file in $(CHECKOUTS)/*/LICENSE* $(CHECKOUTS)/*/NOTICE*; do \
	  [ ! -f "$$file" ] || install -D -m 644 -t "$(DOCUMENTS)/licences/$$(basename "$$(dirname "$$file")")" "$$file" || exit 1; \
	done

uninstall: ## remove what install put below PREFIX; keystores and ledgers stay
	rm -rf "$(DESTDIR)$(PREFIX)/share/pghd" "$(DOCUMENTS)"
	cd "$(DESTDIR)$(PREFIX)" && rm -f bin/pghd share/$(BASH_COMPLETION) share/$(ZSH_COMPLETION) share/$(FISH_COMPLETION) \
	  share/man/man1/pghd.1 share/man/man1/pghd-*.1

package: ## make a .deb with Swift's runtime inside, for people without a compiler
	$(call install-missing,$(PACKAGING_PACKAGES))
	rm -rf .build-install/package
	$(MAKE) install PREFIX=/usr DESTDIR=.build-install/package ZSH_COMPLETION=$(PACKAGE_ZSH_COMPLETION)
	packaging/deb.sh .build-install/package .build-install

clean: ## remove what was built
	rm -rf .build .build-install demo

.PHONY: help packages setup build test $(TEST_LISTS) sign-in-environment fhir-server-environment validators acceptance fuzz demo bench lint format profiles man install uninstall package clean
