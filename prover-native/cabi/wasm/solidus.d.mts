export interface Library {
  /** The reply to a request: a status of 2 bytes, big endian, then the result or an explanation. */
  invoke(operation: number, request: Uint8Array): Uint8Array;
  /** The size of the module's memory. */
  memoryBytes(): number;
}

/** Instantiates the module over the files of its root folder. */
export function open(module: BufferSource, files?: ReadonlyMap<string, Uint8Array>): Promise<Library>;
