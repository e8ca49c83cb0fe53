package io.solidus.authority.custody;

import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import java.nio.file.Path;

/**
 * Where to find the wrapping key of a share.
 *
 * @param library the token's PKCS#11 module, an absolute path
 * @param slot the token's slot in the module's numbering
 * @param keyLabel label of the AES key in the token
 * @param pinFile contains only the user's PIN; accessible only to its owner
 */
public record TokenAccess(
    @NotNull Path library, @Min(0) int slot, @NotBlank String keyLabel, @NotNull Path pinFile) {}
