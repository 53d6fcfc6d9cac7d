import { stripReplyPrefixes, isSameSubject } from './bare-subject';

describe('bareSubject', () => {
  it.each([
    ['Re: Your roadmap', 'Your roadmap'],
    ['RE: AW: Re[2]: Your roadmap', 'Your roadmap'],
    ['Antw: SV:  Your   roadmap ', 'Your roadmap'],
    ['回复：Your roadmap', 'Your roadmap'],
    ['[EXTERNAL] Re: Your roadmap', 'Your roadmap'],
    ['Your roadmap: Re: a question', 'Your roadmap: Re: a question'],
    ['Reply to all', 'Reply to all'],
    ['Re:', 'Re:'],
    ['', ''],
  ])('of %j is %j', (subject, bare) => {
    expect(stripReplyPrefixes(subject)).toBe(bare);
  });

  it('handles a subject of prefixes only in a bounded number of steps', () => {
    expect(stripReplyPrefixes('Re: '.repeat(10_000)).length).toBeGreaterThan(0);
  });
});

describe('sameSubject', () => {
  it('ignores prefixes and case, and never treats empty subjects as equal', () => {
    expect(isSameSubject('AW: Your Roadmap', 'your roadmap')).toBe(true);
    expect(isSameSubject('Your roadmap', 'My roadmap')).toBe(false);
    expect(isSameSubject('', '')).toBe(false);
  });
});
