import { type ErrorDetail } from '@platform/errors';

/** Far above any valid request of this API. */
const MAX_DEPTH = 20;
const MAX_FIELDS = 200;

/**
 * Problem with the shape of a request, found before its fields are validated: the validation libraries recurse without
 * a bound, take quadratic time in the number of fields, and accept names that every object has. Pure.
 */
export function findInputProblem(body: unknown, query: object): ErrorDetail | undefined {
  const strange = Object.keys(query).find(isPrototypeName);
  if (strange !== undefined) return { field: strange, message: `${strange} is not a known field` };
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body)))
    return { field: 'body', message: 'The request body must be a JSON object' };
  const problem = findProblem(body, MAX_DEPTH);
  return problem === undefined ? undefined : { field: 'body', message: `The request body ${problem}` };
}

/** Names that class-validator and class-transformer accept on any object. */
function isPrototypeName(name: string): boolean {
  return name in Object.prototype || name === 'prototype';
}

function findProblem(value: unknown, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === 0) return `is nested more than ${MAX_DEPTH} levels deep`;
  const names = Array.isArray(value) ? [] : Object.keys(value);
  if (names.length > MAX_FIELDS) return `has an object with more than ${MAX_FIELDS} fields`;
  const strange = names.find(isPrototypeName);
  if (strange !== undefined) return `must not have a field named ${strange}`;
  for (const inner of Object.values(value)) {
    const problem = findProblem(inner, depth - 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
