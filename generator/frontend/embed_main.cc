// SPDX-License-Identifier: Apache-2.0
/// \file embed_main.cc
/// Build tool: writes files as a C++ table of names and contents.
///
///     mgen_embed OUTPUT SYMBOL BASE FILE...   (FILE relative to BASE)
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

namespace {

/// One literal per line of the file, so that compilers do not meet a single huge token.
void WriteLiteral(std::ostream &out, const std::string &text) {
  static const char kHex[] = "01234567";
  out << "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      out << "\\n\"\n    \"";
    } else if (c == '"' || c == '\\' || c == '?' || byte < 0x20 || byte >= 0x7f) {
      out << '\\' << kHex[byte >> 6] << kHex[byte >> 3 & 7] << kHex[byte & 7];
    } else {
      out << c;
    }
  }
  out << "\"";
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 4) {
    std::cerr << "usage: mgen_embed OUTPUT SYMBOL BASE FILE...\n";
    return 2;
  }
  std::ofstream out(argv[1], std::ios::binary);
  out << "// Made by mgen_embed.\n#include \"frontend/embedded.h\"\n\nnamespace mgen {\n\n"
      << "static const EmbeddedFile kFiles[] = {\n";
  for (int i = 4; i < argc; ++i) {
    std::ifstream in(std::string(argv[3]) + "/" + argv[i], std::ios::binary);
    if (!in) {
      std::cerr << "mgen_embed: cannot read " << argv[i] << "\n";
      return 4;
    }
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    out << "  {\"" << argv[i] << "\",\n    ";
    WriteLiteral(out, text);
    out << ",\n    " << text.size() << "},\n";
  }
  out << "};\n\nconst EmbeddedFiles " << argv[2] << " = {kFiles, " << argc - 4
      << "};\n\n}  // namespace mgen\n";
  out.close();
  if (!out) {
    std::cerr << "mgen_embed: cannot write " << argv[1] << "\n";
    return 4;
  }
  return 0;
}
