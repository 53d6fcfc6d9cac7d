import { QUEUE_NAMES } from './queue-table';
import { RENAMED_QUEUES, selectQueues } from './renamed-queues';

describe('queues with an earlier name', () => {
  it('have an existing new name, and no queue has the old one', () => {
    const names: readonly string[] = QUEUE_NAMES;
    expect(Object.values(RENAMED_QUEUES).filter((name) => !names.includes(name))).toEqual([]);
    expect(Object.keys(RENAMED_QUEUES).filter((name) => names.includes(name))).toEqual([]);
  });

  it('are selected by their new names, each once, and listed for a warning', () => {
    expect(selectQueues(['mailbox-turn', 'mail-intake', 'mailbox-send', 'crm-lane'])).toEqual({
      names: ['mailbox-send', 'mail-intake', 'crm-work'],
      renamed: ['mailbox-turn', 'crm-lane'],
      unknown: [],
    });
  });

  it.each(['mailbox', 'toString', ''])('do not include %j', (name) => {
    expect(selectQueues([name])).toEqual({ names: [], renamed: [], unknown: [name] });
  });
});
