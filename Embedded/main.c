// SPDX-License-Identifier: MIT
// The beginning of a program in Embedded Swift, which has no CommandLine: gives the arguments to the
// function that PROGRAM names (Programs.swift).
int PROGRAM(int count, char **arguments);

int main(int count, char **arguments) { return PROGRAM(count, arguments); }
