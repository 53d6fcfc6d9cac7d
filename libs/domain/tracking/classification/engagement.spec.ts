import { type ClassifiedHit, getEngagement } from './engagement';

const at = (second: number) => new Date(Date.UTC(2026, 2, 2, 9, 0, second));
const hit = (kind: ClassifiedHit['kind'], verdict: ClassifiedHit['verdict'], second: number): ClassifiedHit => ({
  _id: `${kind} ${second}`,
  kind,
  verdict,
  rule: `${verdict} ${second}`,
  link: kind === 'click' ? second : null,
  firstAt: at(second),
});
const sight = (verdict: string, second: number, link: number | null = null) => ({
  at: at(second),
  link,
  rule: `${verdict} ${second}`,
});

describe('the engagement derived from hits', () => {
  it('is the first hit of each kind', () => {
    const hits = [
      hit('open', 'human', 9),
      hit('click', 'human', 8),
      hit('click', 'human', 20),
      hit('open', 'human', 3),
    ];
    expect(getEngagement(hits)).toEqual({ opened: sight('human', 3), clicked: sight('human', 8, 8) });
  });

  it('counts a click also as an open', () => {
    expect(getEngagement([hit('click', 'human', 8)])).toEqual({
      opened: sight('human', 8, 8),
      clicked: sight('human', 8, 8),
    });
  });

  it('separates machines, including prefetches and honeypot hits', () => {
    expect(
      getEngagement([hit('open', 'prefetch', 1), hit('open', 'machine', 2), hit('honeypot', 'machine', 3)]),
    ).toEqual({
      machineOpened: sight('prefetch', 1),
      machineClicked: sight('machine', 3),
    });
  });

  it('is empty for unknown clients and for the sender', () => {
    expect(getEngagement([hit('open', 'unknown', 1), hit('click', 'self', 2), hit('open', 'self', 2)])).toEqual({});
  });
});
