/**
 * The sanctions and policy authority. It imports lists of persons, screens names against them,
 * publishes sanctioned addresses in signed checkpoints, and publishes signed policies.
 */
@NullMarked
package io.solidus.operator.sanctions;

import org.jspecify.annotations.NullMarked;
