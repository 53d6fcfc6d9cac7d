import { type ErrorDetail } from '@platform/errors';

/** Far deeper and wider than any request of this API is. */
const MAX_DEPTH = 20;
const MAX_FIELDS = 200;

/**
 * What is wrong with the shape of a request before its fields are looked at: the libraries that check fields recurse
 * without a bound, take quadratic time in the number of fields, and let names pass that every object has. Pure.
 */
export function inputProblem(body: unknown, query: object): ErrorDetail | undefined {
  const strange = Object.keys(query).find(isEveryObjects);
  if (strange !== undefined) return { field: strange, message: `${strange} is not a known field` };
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body)))
    return { field: 'body', message: 'The request body must be a JSON object' };
  const problem = problemOf(body, MAX_DEPTH);
  return problem === undefined ? undefined : { field: 'body', message: `The request body ${problem}` };
}

/** Names that class-validator and class-transformer let pass as known on any object. */
function isEveryObjects(name: string): boolean {
  return name in Object.prototype || name === 'prototype';
}

function problemOf(value: unknown, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === 0) return `is nested more than ${MAX_DEPTH} levels deep`;
  const names = Array.isArray(value) ? [] : Object.keys(value);
  if (names.length > MAX_FIELDS) return `has an object with more than ${MAX_FIELDS} fields`;
  const strange = names.find(isEveryObjects);
  if (strange !== undefined) return `may not have a field named ${strange}`;
  for (const inner of Object.values(value)) {
    const problem = problemOf(inner, depth - 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
