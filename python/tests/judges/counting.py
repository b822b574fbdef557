# SPDX-License-Identifier: BSL-1.0
"""Counts the calls of functions of apsp for the plugins that import this."""

import functools

calls = 0


def counted(function):
    @functools.wraps(function)
    def call(*arguments, **named):
        global calls
        calls += 1
        return function(*arguments, **named)

    return call


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"{calls} calls of apsp")
