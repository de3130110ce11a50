// SPDX-License-Identifier: Apache-2.0
// Kernels and a class of Qt's in one file: `slots`, `signals` and `emit` are macros here.
#include <QObject>
#include <mshadow/tensor.h>
#include <toy.h>

#include <cstdio>

class Trainer : public QObject {
  Q_OBJECT

 public:
  void Train() {
    using namespace mshadow;
    float w[] = {2}, g[] = {2};
    toy::Step(Tensor<cpu, 1, float>(w, Shape1(1)), Tensor<cpu, 1, float>(g, Shape1(1)));
    emit Moved(w[0]);
  }

 signals:
  void Moved(float weight);
};

int main() {
  Trainer trainer;
  QObject::connect(&trainer, &Trainer::Moved, [](float weight) { std::printf("moved %g\n", static_cast<double>(weight)); });
  trainer.Train();
}

#include "main.moc"
