/** What the processes of one authority share: its database, its internal token and its replies. */
@NullMarked
package io.solidus.authority.common;

import org.jspecify.annotations.NullMarked;
