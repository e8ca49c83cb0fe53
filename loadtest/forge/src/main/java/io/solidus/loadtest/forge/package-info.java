/**
 * Keys with known trapdoors, transfers without owners and simulated proofs, for load tests only. A
 * separate program makes them, so that no Java process ever holds a trapdoor.
 */
@NullMarked
package io.solidus.loadtest.forge;

import org.jspecify.annotations.NullMarked;
