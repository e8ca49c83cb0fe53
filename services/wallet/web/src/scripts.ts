// The scripts that this page starts. With Trusted Types no other address becomes a script.

interface Policies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** Turns the addresses of these scripts into what a worker is started with, and no others. Once in a page or worker. */
export function scriptAddresses<T extends string>(...scripts: readonly T[]): (script: T) => string {
  const known = (url: string): string => {
    if (!scripts.some((script) => script === url)) throw new TypeError('no script of this page');
    return url;
  };
  const { trustedTypes } = globalThis as { readonly trustedTypes?: Policies };
  const policy = trustedTypes?.createPolicy('solidus', { createScriptURL: known });
  return (script) => policy?.createScriptURL(script) ?? known(script);
}
