{{reductions}}
for (mshadow::cuda::RowLeaves leaf(team); !leaf.done(); leaf.next()) {
  {{begin}}
  for (index_t i = leaf.begin(); i < leaf.end(); i += mshadow::kRowLanes) {
    {{step}}
  }
  {{push}}
}
