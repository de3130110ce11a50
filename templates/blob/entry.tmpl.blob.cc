{{signature}}
  {{tensors}}
  mshadow::ForInstance<{{rule}}Rule>(tensors, [&]({{lambda}}) {
    {{launch}}
  });
}
