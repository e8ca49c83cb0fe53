package io.solidus.operator.names;

/**
 * A line of the explanation of a match.
 *
 * @param asked a part of the name that was asked for, in Latin letters; empty where it has none
 * @param listed the like part of the other name; empty where it has none
 * @param likeness 0 to 1
 * @param how equal, sound, spelling, consonants, initial, joined or missing
 */
public record TokenMatch(String asked, String listed, double likeness, String how) {}
