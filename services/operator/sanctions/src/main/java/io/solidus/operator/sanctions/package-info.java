/**
 * The sanctions and policy authority: lists of persons and names screened against them, sanctioned
 * addresses and their signed checkpoints, and the signed policies.
 */
@NullMarked
package io.solidus.operator.sanctions;

import org.jspecify.annotations.NullMarked;
