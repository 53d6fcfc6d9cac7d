import { ConversationUpdateService } from '@domain/inbox';
import { mail } from '../../inbox/testing';
import { ADA, INTERESTED, says } from './testing/model-answers';
import { AutonomyFixture } from './testing/autonomy-fixture';

const DAY_MS = 86_400_000;

let agents: AutonomyFixture;

beforeAll(async () => {
  agents = await AutonomyFixture.open();
});
afterAll(() => agents.close());
beforeEach(() => agents.fresh());

describe('follow-ups', () => {
  const followups = { enabled: true, maxFollowups: 2, delayDays: 3 };
  const silence = async () => {
    agents.clock.advance(3 * DAY_MS);
    await agents.settle();
  };

  it('are sent in the thread without an answer, up to the configured number', async () => {
    await agents.agent({ followups });
    await agents.answered();
    await agents.settle();
    agents.model.otherwise = says('Hello Ada, did you find a time that suits you? Grace');
    for (let time = 0; time < 4; time += 1) await silence();
    expect((await agents.replies()).map(({ position, state }) => [position, state])).toEqual([
      [0, 'sent'],
      [1, 'sent'],
      [2, 'sent'],
    ]);
    expect(agents.given()).toHaveLength(3);
    expect((await agents.texts()).map(({ purpose }) => purpose).toSorted()).toEqual(['followup', 'followup', 'reply']);
  });

  it.each([
    ['an answer', 'Thanks, but no, we are not interested.', ''],
    ['an absence', 'I am out of office until Monday.', 'Auto-Submitted: auto-replied\n'],
  ])('end with %s', async (_name, text, headers) => {
    await agents.agent({ followups });
    const { send } = await agents.inbox.written(ADA);
    await agents.says({ send }, INTERESTED);
    await agents.settle();
    await agents.inbox.arrives(mail({ from: `Ada <${ADA}>`, inReplyTo: send.messageId, text, headers }));
    await silence();
    const [, followup] = await agents.replies();
    expect(followup).toMatchObject({ position: 1, state: 'cancelled', cause: 'newer' });
    expect(agents.given()).toHaveLength(1);
  });

  it('end with another label, even one that the agent answers', async () => {
    await agents.agent({ followups, mode: { labels: ['positive', 'neutral'] } });
    const { _id } = await agents.answered();
    await agents.settle();
    await agents.get(ConversationUpdateService).update(agents.workspace, _id.toHexString(), { label: 'neutral' });
    await silence();
    const [, followup] = await agents.replies();
    expect(followup).toMatchObject({ position: 1, state: 'cancelled', cause: 'label' });
    expect(agents.given()).toHaveLength(1);
  });
});
