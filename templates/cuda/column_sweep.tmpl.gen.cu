for (mshadow::cuda::ColumnLeaves leaf(team); !leaf.done(); leaf.next()) {
  {{begin}}
  for (index_t y = leaf.begin(); y < leaf.end(); ++y) {
    {{rows}}
    {{step}}
  }
  {{push}}
}
