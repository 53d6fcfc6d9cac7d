import { Types } from 'mongoose';
import { type StepRequest } from './dto/sequence-requests.dto';
import { draftSequence, type KnownIds, placedByOrder } from './sequence-draft';
import { sequenceErrors } from './sequence-rules';

const NONE: KnownIds = new Map();
const [stepId, variantId, otherVariant] = Array.from({ length: 3 }, () => new Types.ObjectId().toHexString());
const known: KnownIds = new Map([[stepId!, new Set([variantId!])]]);
const drafted = (requests: StepRequest[], ids = NONE) => draftSequence(requests, ids);
const fields = (requests: StepRequest[], ids = NONE) => drafted(requests, ids).errors.map(({ field }) => field);

describe('a submitted sequence', () => {
  it('has default names, positions, delays and weights', () => {
    const { steps, errors } = drafted([
      { subject: 'a', body: 'b' },
      { name: 'Again', variants: [{ body: 'c' }, { name: 'Other', subject: 'd', body: 'e', weight: 0 }] },
    ]);
    expect(errors).toEqual([]);
    expect(steps).toMatchObject([
      {
        type: 'email',
        name: 'Step 1',
        order: 0,
        delay: { value: 0, unit: 'days', workingDaysOnly: false },
        variants: [{ name: 'A', subject: 'a', body: 'b', weight: 1 }],
      },
      {
        name: 'Again',
        order: 1,
        delay: { value: 3, unit: 'days', workingDaysOnly: false },
        variants: [
          { name: 'A', subject: '', body: 'c', weight: 1 },
          { name: 'Other', subject: 'd', body: 'e', weight: 0 },
        ],
      },
    ]);
    expect(
      new Set(steps.flatMap(({ _id, variants }) => [_id, ...variants.map(({ _id }) => _id)].map(String))).size,
    ).toBe(5);
  });

  it('keeps known ids, in any case', () => {
    const [step] = drafted([{ _id: stepId!.toUpperCase(), variants: [{ _id: variantId!, body: 'x' }] }], known).steps;
    expect([step!._id.toHexString(), step!.variants[0]!._id.toHexString()]).toEqual([stepId, variantId]);
  });

  it.each([
    ['an id that it does not know', [{ _id: otherVariant!, body: 'x' }], ['sequence.0._id']],
    ['an id that is none', [{ _id: '__proto__', body: 'x' }], ['sequence.0._id']],
    [
      'a step twice',
      [
        { _id: stepId!, body: 'x' },
        { _id: stepId!, body: 'x' },
      ],
      ['sequence.1._id'],
    ],
    [
      'a variant of another step',
      [{ body: undefined, variants: [{ _id: variantId!, body: 'x' }] }],
      ['sequence.0.variants.0._id'],
    ],
    [
      'a variant twice',
      [
        {
          _id: stepId!,
          variants: [
            { _id: variantId!, body: 'x' },
            { _id: variantId!, body: 'x' },
          ],
        },
      ],
      ['sequence.0.variants.1._id'],
    ],
    ['no words', [{ subject: 'x' }], ['sequence.0.body']],
    ['a wrong place', [{ body: 'x', order: 3 }], ['sequence.0.order']],
    ['a delay before the first step', [{ body: 'x', delay: { value: 2, unit: 'hours' } }], ['sequence.0.delay.value']],
    ['a delay of more than a year', [{ body: 'x' }, { body: 'x', delay: { value: 366 } }], ['sequence.1.delay.value']],
  ] as [string, StepRequest[], string[]][])('is refused for %s', (_what, requests, expected) => {
    expect(fields(requests, known)).toEqual(expected);
  });

  it('may have delays up to a year, in days or in hours', () => {
    expect(
      fields([
        { body: 'x' },
        { body: 'x', delay: { value: 365 } },
        { body: 'x', delay: { value: 8760, unit: 'hours' } },
      ]),
    ).toEqual([]);
  });
});

describe('a sequence in the simple form', () => {
  const published = drafted([
    {
      name: 'Hello',
      variants: [
        { subject: 'a', body: 'a' },
        { subject: 'b', body: 'b', weight: 4 },
      ],
    },
    { body: 'c', delay: { value: 9, unit: 'hours', workingDaysOnly: true } },
  ]).steps;
  const again = (requests: StepRequest[]) => {
    const ids = new Map(
      published.map(({ _id, variants }) => [_id.toHexString(), new Set(variants.map(({ _id }) => _id.toHexString()))]),
    );
    const { steps, errors } = drafted(placedByOrder(requests, published), ids);
    expect(errors).toEqual([]);
    return steps;
  };

  it('is the published one when it has the same or no content', () => {
    expect(again([{ subject: 'a', body: 'a' }, { body: 'c' }])).toEqual(published);
    expect(again([{}, {}])).toEqual(published);
  });

  it('changes the given steps and adds further ones', () => {
    const steps = again([{ name: 'Hi', subject: 'new' }, { delay: { value: 1 } }, { body: 'd' }]);
    expect(steps).toMatchObject([
      {
        _id: published[0]!._id,
        name: 'Hi',
        variants: [
          { subject: 'new', body: 'a' },
          { subject: 'b', weight: 4 },
        ],
      },
      { _id: published[1]!._id, delay: { value: 1, unit: 'days', workingDaysOnly: false } },
      { name: 'Step 3', order: 2 },
    ]);
    expect(again([{ body: 'x' }])).toHaveLength(1);
  });

  it('replaces the variants', () => {
    expect(again([{ variants: [{ subject: 'x', body: 'y' }] }])[0]!.variants).toMatchObject([
      { name: 'A', subject: 'x' },
    ]);
  });

  it('stays unchanged when it contains ids', () => {
    const named = [{ body: 'x' }, { _id: published[0]!._id.toHexString(), body: 'y' }];
    expect(placedByOrder(named, published)).toEqual(named);
  });
});

describe('the permission to publish', () => {
  const errorsOf = (requests: StepRequest[]) =>
    sequenceErrors(
      drafted(requests).steps,
      requests.map(({ variants }) => variants === undefined),
    );
  const fieldsOf = (requests: StepRequest[]) => errorsOf(requests).map(({ field }) => field);

  it.each([
    ['a complete step', [{ subject: 'a', body: 'b' }], []],
    ['a follow-up without a subject', [{ subject: 'a', body: 'b' }, { body: 'c' }], []],
    [
      'an unused wording that is empty',
      [
        {
          variants: [
            { subject: 'a', body: 'b' },
            { body: '', weight: 0 },
          ],
        },
      ],
      [],
    ],
    ['an empty subject of the first', [{ body: 'b' }], ['sequence.0.subject']],
    ['an empty body', [{ subject: 'a', body: ' ' }], ['sequence.0.body']],
    ['no wording in use', [{ variants: [{ subject: 'a', body: 'b', weight: 0 }] }], ['sequence.0.variants']],
    [
      'a broken template, in use or not',
      [
        {
          variants: [
            { subject: 'a', body: 'b' },
            { body: '{{', weight: 0 },
          ],
        },
      ],
      ['sequence.0.variants.1.body'],
    ],
    ['too much of all', Array.from({ length: 5 }, () => ({ subject: 'a', body: 'b'.repeat(180_000) })), ['sequence']],
  ] as [string, StepRequest[], string[]][])('is decided for %s', (_what, requests, expected) => {
    expect(fieldsOf(requests)).toEqual(expected);
  });

  it('reports each error with its line and column', () => {
    const messages = errorsOf([{ subject: 'a {{b', body: '<p>\n {{ a b }}\n{{' }]).map(({ message }) => message);
    expect(messages).toEqual([
      expect.stringMatching(/^sequence\.0\.subject, line 1, column 3: ./),
      expect.stringMatching(/^sequence\.0\.body, line 2, column \d+: ./),
      expect.stringMatching(/^sequence\.0\.body, line 3, column 1: ./),
    ]);
  });
});
