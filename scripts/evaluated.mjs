/*
 * A webpack loader that replaces a module by the values of its exports, evaluated during the build.
 * The values have to be JSON. It keeps what they were computed from out of a bundle.
 */
export default function evaluated() {}

/** What a page's script needs of the table of algorithms, and the client of the table of methods. */
export const EVALUATED =
  /[\\/](page[\\/]subtle[\\/]dictionaries|client[\\/]bridge[\\/]arguments)\.ts$/;

/** Runs before all other loaders of the module; what it returns is the module. */
export async function pitch(request) {
  const values = await this.importModule(`!!${request}`);
  return sourceOf(values);
}

/** The source of a module with these exports. Lists and objects that occur in them several times are written once. */
export function sourceOf(values) {
  const uses = new Map();
  count(Object.values(values), uses);
  const names = new Map();
  const lines = [];
  const write = (value) => {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const id = JSON.stringify(value);
    if (names.has(id)) return names.get(id);
    const text = Array.isArray(value) ? `[${value.map(write).join(', ')}]` : objectOf(value, write);
    if (uses.get(id) === 1) return text;
    names.set(id, `shared${names.size}`);
    lines.push(`const ${names.get(id)} = ${text};`);
    return names.get(id);
  };
  for (const [name, value] of Object.entries(values)) {
    const text = write(value);
    lines.push(`export const ${name} = ${text};`);
  }
  return lines.join('\n');
}

function count(values, uses) {
  for (const value of values) {
    if (typeof value !== 'object' || value === null) continue;
    const id = JSON.stringify(value);
    uses.set(id, (uses.get(id) ?? 0) + 1);
    if (uses.get(id) === 1)
      count(
        membersOf(value).map(([, each]) => each),
        uses,
      );
  }
}

/** One member a line where it is long: stores read what is built. */
function objectOf(value, write) {
  const members = membersOf(value).map(([name, each]) => `${JSON.stringify(name)}: ${write(each)}`);
  const line = members.join(', ');
  return line.length < 100 ? `{ ${line} }` : `{\n  ${members.join(',\n  ')}\n}`;
}

/** As JSON has them. */
function membersOf(value) {
  return Object.entries(value).filter(([, each]) => each !== undefined);
}
