package io.solidus.loadtest.chaos.fault;

/** Something broken on purpose, and how it is put right. */
interface Fault {

  /** Returns when it is broken. */
  void strike();

  /** Returns when the cause is gone; recovery is the validators' own affair. */
  void heal();
}
