import { describeChat } from '../conformance/chat-conformance';
import { type ChatMessage } from '../port/chat-message';
import { FakeChatDriver } from './fake-chat.driver';

describeChat('The fake', () => {
  const chat = new FakeChatDriver();
  return Promise.resolve({
    chat,
    token: 'token',
    channelId: 'C1',
    webhookUrl: 'https://hooks.chat.example/1',
    channelNames: ['sales', 'ops', 'board'],
    consent: () => 'code',
    fails: (fails, retryAfterMs) => chat.next(retryAfterMs === undefined ? { fails } : { fails, retryAfterMs }),
    loses: () => chat.next('posted but lost'),
    staysSilent: () => chat.next('silence'),
    archive: (id) => {
      const at = chat.channelList.findIndex((one) => one.id === id);
      chat.channelList[at] = { ...chat.channelList[at]!, isArchived: true };
    },
    said: () => chat.posts.map(({ message }) => textOf(message)),
    close: () => Promise.resolve(),
  });
});

function textOf({ parts }: ChatMessage): string {
  return parts
    .map((part) =>
      'text' in part
        ? part.text
        : part.runs.map((run) => (typeof run === 'string' ? run : JSON.stringify(run))).join(''),
    )
    .join('\n');
}
