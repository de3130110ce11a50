# SPDX-License-Identifier: Apache-2.0
# cmake -D ROOT=<templates/> -D FILES=<paths below it> -D OUTPUT=<file.cc> -P embed_templates.cmake
# Writes a C++ file that holds the templates as arrays of bytes, which no compiler's limit on the
# length of string literals concerns.
string(CONCAT head
  "// Written by embed_templates.cmake from templates/.\n"
  "#include \"emit/template.h\"\n\nnamespace mgen {\nnamespace {\n\n")
set(arrays "")
set(rows "")
set(index 0)
foreach(file IN LISTS FILES)
  file(READ "${ROOT}/${file}" bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "constexpr char kText${index}[] = {${bytes}0};\n")
  string(APPEND rows "      {\"${file}\", {kText${index}, sizeof kText${index} - 1}},\n")
  math(EXPR index "${index} + 1")
endforeach()
string(CONCAT tail
  "\n}  // namespace\n\nconst std::vector<EmbeddedTemplate> &EmbeddedTemplates() {\n"
  "  static const std::vector<EmbeddedTemplate> all = {\n${rows}  };\n  return all;\n}\n\n"
  "}  // namespace mgen\n")
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "@head@@arrays@@tail@" @ONLY)
