/**
 * What load tests need and nothing else may have: keys with known trapdoors, transfers nobody owns,
 * proofs nobody worked for. The work is done by a program of its own, so that no Java process ever
 * holds a trapdoor.
 */
@NullMarked
package io.solidus.loadtest.forge;

import org.jspecify.annotations.NullMarked;
