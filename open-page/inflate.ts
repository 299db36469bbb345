/**
 * The bytes of a module that the build has packed.
 *
 * @param packed DEFLATE (RFC 1951) as Base64
 */
export async function inflate(packed: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Response(bytes).body!.pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).arrayBuffer();
}
