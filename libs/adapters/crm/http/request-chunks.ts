import { mapInParallel } from '@platform/concurrency';
import pLimit from 'p-limit';
import { CrmError } from '../port/crm.errors';
import { UnconfirmedWriteError } from './unconfirmed-write.errors';

export interface ChunkOptions {
  /** Items per request. */
  readonly size: number;
  /** Concurrent requests. */
  readonly atOnce: number;
}

/**
 * Writes items in several requests, a few concurrently. After a failure no request is started: completed items have their results,
 * the others `lost`; without completed items the failure is thrown.
 * @param run sends one request and returns one result per item
 * @throws CrmError, and the reason of a signal at once
 */
export async function writeInChunks<T, R>(
  items: readonly T[],
  { size, atOnce }: ChunkOptions,
  run: (piece: readonly T[]) => Promise<readonly R[]>,
  toUnknownResult: (item: T, message: string) => R,
): Promise<R[]> {
  const pieces = toChunks(items, size);
  const results: (readonly R[] | undefined)[] = Array.from({ length: pieces.length });
  let failure: CrmError | null = null;
  const limit = pLimit(atOnce);
  const write = async (piece: readonly T[], at: number): Promise<void> => {
    if (failure !== null) return;
    try {
      results[at] = await run(piece);
    } catch (error) {
      if (!(error instanceof CrmError)) throw error;
      if (error instanceof UnconfirmedWriteError)
        results[at] = piece.map((item) => toUnknownResult(item, error.message));
      failure ??= error;
    }
  };
  await Promise.all(pieces.map((piece, at) => limit(write, piece, at)));
  return joinResults(pieces, results, failure, toUnknownResult);
}

function joinResults<T, R>(
  pieces: readonly (readonly T[])[],
  results: readonly (readonly R[] | undefined)[],
  failure: CrmError | null,
  toUnknownResult: (item: T, message: string) => R,
): R[] {
  if (failure !== null && results.every((result) => result === undefined)) throw failure;
  return pieces.flatMap(
    (piece, at) => results[at] ?? piece.map((item) => toUnknownResult(item, failure?.message ?? '')),
  );
}

/** Reads items in several requests, a few concurrently. @throws the first failure */
export async function readInChunks<T, R>(
  items: readonly T[],
  { size, atOnce }: ChunkOptions,
  run: (piece: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> {
  return (await mapInParallel(toChunks(items, size), atOnce, run)).flat();
}

export function toChunks<T>(items: readonly T[], size: number): (readonly T[])[] {
  const pieces: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += size) pieces.push(items.slice(at, at + size));
  return pieces;
}
