import { PublishedSequence } from '@domain/campaigns';
import { Types } from 'mongoose';
import { launchSequence } from './launch-sequence';

type Wording = { subject?: string; body?: string; weight?: number };

function sequenceOf(...steps: Wording[][]): PublishedSequence {
  const delay = { value: 0, unit: 'days', workingDaysOnly: false } as const;
  return new PublishedSequence({
    _id: new Types.ObjectId(),
    workspaceId: new Types.ObjectId(),
    campaignId: new Types.ObjectId(),
    version: 1,
    removed: [],
    createdBy: null,
    createdAt: new Date(0),
    steps: steps.map((variants, order) => ({
      _id: new Types.ObjectId(),
      type: 'email',
      name: '',
      order,
      delay,
      variants: variants.map(({ subject = 'Hi', body = 'Text', weight = 1 }, at) => {
        return { _id: new Types.ObjectId(), name: 'ABC'.charAt(at), subject, body, weight };
      }),
    })),
  });
}

const text = (name: string) => ({ name, place: 'text' });

describe('the inspection of a sequence before a start', () => {
  it('finds nothing without a sequence', () => {
    expect(launchSequence(null)).toEqual({ steps: 0, faults: [], ofLeads: [], ofSenders: [] });
  });

  it('requires a subject in the first step, a text in each step, and an active variant', () => {
    const sequence = sequenceOf([{ subject: ' ' }], [{ subject: '' }], [{ body: '\n' }], [{ weight: 0 }]);
    expect(launchSequence(sequence).faults).toEqual([
      'Step 1, wording A has no subject',
      'Step 3, wording A has no text',
      'Step 4 has no wording that is used',
    ]);
  });

  it('lists required values of leads and of senders, without those that have a default', () => {
    const sequence = sequenceOf(
      [
        {
          subject: '{{firstName}} {{email}}',
          body: '{{senderName}} {{signature}} {{unsubscribeLink}} {{senderEmail}}',
        },
      ],
      [{ body: '{{industry}} {{city | default: "there"}} {{lastName | default: ""}} {{lastName}}' }],
    );
    expect(launchSequence(sequence)).toEqual({
      steps: 2,
      faults: [],
      ofLeads: [text('firstName'), text('industry'), text('lastName')],
      ofSenders: [text('senderName')],
    });
  });

  it('requires a link where a link begins, which a person’s address is not', () => {
    const sequence = sequenceOf([
      { body: '<a href="{{website}}">{{website}}</a> <a href="{{senderEmail}}">' },
      { body: '<a href="{{website}}"> <a href="mailto:{{senderEmail}}">{{email}}</a> <a href="{{email}}">' },
    ]);
    expect(launchSequence(sequence)).toMatchObject({
      ofLeads: [{ name: 'website', place: 'link' }, text('website'), { name: 'email', place: 'link' }],
      ofSenders: [{ name: 'senderEmail', place: 'link' }],
    });
  });

  it('ignores variants that are not used', () => {
    const sequence = sequenceOf([{}, { subject: '', body: '{{industry}}', weight: 0 }]);
    expect(launchSequence(sequence)).toMatchObject({ faults: [], ofLeads: [] });
  });

  it('names a template that does not compile instead of throwing', () => {
    const { faults } = launchSequence(sequenceOf([{ body: 'Hi {{first name}}' }]));
    expect(faults).toEqual([expect.stringMatching(/^Step 1, wording A: .*does not compile/)]);
  });
});
