/** Cases of people who register: the queue, the file, matches, possible duplicates, changes. */
@NullMarked
package io.solidus.operator.console.people;

import org.jspecify.annotations.NullMarked;
