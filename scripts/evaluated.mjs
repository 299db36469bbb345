/*
 * A webpack loader that replaces a module by the values of its exports, evaluated during the build.
 * The values have to be JSON. It keeps what they were computed from out of a bundle.
 */
export default function evaluated() {}

/** Runs before all other loaders of the module; what it returns is the module. */
export async function pitch(request) {
  const values = await this.importModule(`!!${request}`);
  return Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
}
