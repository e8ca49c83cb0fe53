/**
 * The command line of a mint's approver. It runs on her own machine, shows what she signs, and
 * signs with a key that no service has.
 */
@NullMarked
package io.solidus.operator.approver;

import org.jspecify.annotations.NullMarked;
