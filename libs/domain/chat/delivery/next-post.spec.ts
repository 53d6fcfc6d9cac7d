import { Types } from 'mongoose';
import { type DueMessage, MOST_SINGLY, getNextPost } from './next-post';

const NOW = new Date('2026-11-22T10:00:00Z');
const inLine = (count: number, minutesAgo = 0): DueMessage[] =>
  Array.from({ length: count }, () => ({
    _id: new Types.ObjectId(),
    eventId: new Types.ObjectId(),
    event: 'email.replied',
    createdAt: new Date(NOW.getTime() - minutesAgo * 60_000),
    attempts: 0,
  }));
const instant = { mode: 'instant', catchUpUntil: null } as const;
const digest = { mode: 'digest', catchUpUntil: null } as const;

it('posts events one by one, oldest first', () => {
  const due = inLine(MOST_SINGLY);
  expect(getNextPost(instant, due)).toEqual({ kind: 'single', messages: due.slice(0, 1) });
});

it('posts events together when several wait', () => {
  const due = inLine(MOST_SINGLY + 1);
  expect(getNextPost(instant, due)).toEqual({ kind: 'summary', messages: due });
});

it.each([1, 2, 40])('posts all %s events of a digest together', (count) => {
  const due = inLine(count);
  expect(getNextPost(digest, due)).toEqual({ kind: 'summary', messages: due });
});

it('combines the events of an outage, and posts a later event separately', () => {
  const missed = inLine(2, 60);
  const fresh = inLine(2);
  const settings = { ...instant, catchUpUntil: new Date(NOW.getTime() - 60_000) };
  expect(getNextPost(settings, [...missed, ...fresh])).toEqual({ kind: 'summary', messages: missed });
  expect(getNextPost(settings, fresh)).toEqual({ kind: 'single', messages: fresh.slice(0, 1) });
  expect(getNextPost(settings, [...missed.slice(0, 1), ...fresh])).toEqual({
    kind: 'single',
    messages: missed.slice(0, 1),
  });
});
