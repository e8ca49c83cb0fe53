/**
 * Private retrieval of one record from t+1 servers that hold the same table: each server adds up
 * the records that its share selects, and the sum of all answers is the record. Any t of the shares
 * say nothing about which record that is (Chor, Goldreich, Kushilevitz and Sudan, "Private
 * Information Retrieval", FOCS 1995, section 3).
 */
@NullMarked
package io.solidus.retrieval;

import org.jspecify.annotations.NullMarked;
