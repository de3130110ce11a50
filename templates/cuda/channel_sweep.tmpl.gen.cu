for (mshadow::cuda::ChannelRounds leaf(team); !leaf.done(); leaf.next()) {
  {{begin}}
  mshadow::cuda::Place at(leaf.begin(), plan.channels.inner, plan.channels.cols);
  for (; at.index() < leaf.end(); at.Move(mshadow::kRowLanes)) {
    {{rows}}
    {{step}}
  }
  {{push}}
}
