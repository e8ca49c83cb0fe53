package io.solidus.loadtest.chaos.fault;

/** A fault that can be caused and repaired. */
interface Fault {

  /** Causes the fault; returns when it is in effect. */
  void strike();

  /** Removes the cause; the validators recover by themselves. */
  void heal();
}
