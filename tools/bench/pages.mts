import { Crowds } from './leads.mts';
import { type Goal, heading, median, requireEffects, showGoals, showTimes, type Stage, timed } from './measure.mts';

const LIMIT = 100;

interface Page {
  data: { email: string }[];
  pagination: { total: number; nextCursor: string | null };
}

/** A page in the middle of a million leads costs as much as page 1. Its cursors show every lead once, newest first. */
export async function pages({ fixture, short }: Stage): Promise<Goal[]> {
  const [size, deep, requests] = short ? [10_000, 50, 20] : [1_000_000, 5_000, 300];
  heading(`Lists: page ${deep} of ${size} leads (limit ${LIMIT}), against page 1`);
  const crowds = await Crowds.of(fixture);
  const { campaignId } = await crowds.filled(size);
  const first = `/v1/campaigns/${campaignId.toHexString()}/leads?limit=${LIMIT}`;
  const headers = { 'x-api-key': crowds.workspace.key };
  const read = async (path: string): Promise<Page> => {
    const page = (await (await fetch(crowds.api.url + path, { headers })).json()) as Page;
    const { data, pagination } = page;
    requireEffects(path, { shown: data.length, total: pagination.total }, { shown: LIMIT, total: size });
    return page;
  };
  const seen = new Set<number>();
  let path = first;
  for (let page = 1; page <= deep; page++) {
    const { data, pagination } = await read(path);
    for (const { email } of data) seen.add(Number(/^p(\d+)\./.exec(email)?.[1]));
    if (page < deep) path = `${first}&cursor=${encodeURIComponent(pagination.nextCursor ?? '')}`;
  }
  const oldest = [...seen].reduce((least, serial) => Math.min(least, serial), size);
  requireEffects('leads shown', { seen: seen.size, oldest }, { seen: deep * LIMIT, oldest: size - deep * LIMIT });
  const times = { first: [] as number[], deep: [] as number[] };
  for (let request = 0; request < requests; request++) {
    times.first.push(await timed(() => read(first)));
    times.deep.push(await timed(() => read(path)));
  }
  showTimes('page 1', times.first);
  showTimes(`page ${deep}`, times.deep);
  const value = median(times.deep) / median(times.first);
  return showGoals([{ what: `time of page ${deep} / of page 1`, value, bound: { atMost: 1.3 } }]);
}
