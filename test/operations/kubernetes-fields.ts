import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const MODULES = join(__dirname, '../../node_modules');

interface Shape {
  /** Types of the fields as declared, by name. */
  readonly fields: ReadonlyMap<string, string>;
  /** Files that declare imported types. */
  readonly imports: ReadonlyMap<string, string>;
}

const shapes = new Map<string, Shape>();

/**
 * The fields of the first interface of a declaration file, which is generated from the OpenAPI document of
 * Kubernetes.
 */
function shapeIn(path: string): Shape {
  const known = shapes.get(path);
  if (known) return known;
  const text = readFileSync(`${path}.d.ts`, 'utf8');
  const [, body = ''] = /export interface \w+[^{]*\{\n(.*?)\n\}/s.exec(text) ?? [];
  const fields = new Map(
    [...body.matchAll(/^ {4}"?([\w$-]+)"?\??: (.*?);$/gms)].map(([, name = '', type = '']) => [name, type]),
  );
  const imports = new Map(
    [...text.matchAll(/^import \{ ([^}]+) \} from "([^"]+)";$/gm)].flatMap(([, names = '', from = '']) =>
      names
        .split(', ')
        .map((name): [string, string] => [
          name,
          from.startsWith('.') ? join(dirname(path), from) : join(MODULES, from),
        ]),
    ),
  );
  const shape = { fields, imports };
  shapes.set(path, shape);
  return shape;
}

/** Paths of fields in an object that its kind lacks: Kubernetes would drop or reject them. */
export function unknownFields(apiVersion: string, kind: string, object: object): string[] {
  return [...strangersIn(object, join(MODULES, 'kubernetes-models', apiVersion, kind), '')];
}

function* strangersIn(object: object, path: string, at: string): Generator<string> {
  const { fields, imports } = shapeIn(path);
  for (const [name, value] of Object.entries(object)) {
    const type = fields.get(name);
    if (type === undefined) yield `${at}${name}`;
    const [alias = ''] = /\bI\w+/.exec(type ?? '') ?? [];
    const declared = imports.get(alias);
    // Labels and similar maps have arbitrary keys.
    if (declared === undefined || type?.startsWith('{')) continue;
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof one === 'object' && one !== null) yield* strangersIn(one, declared, `${at}${name}.`);
    }
  }
}
