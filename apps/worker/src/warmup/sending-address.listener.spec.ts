import { type SendingAddressRepository } from '@domain/deliverability';
import { SentOriginRegistry } from '@domain/warmup';
import { SendingAddressListener } from './sending-address.listener';

it('passes sending addresses found by warmup to blacklist tests', async () => {
  const learned: string[][] = [];
  const addresses: Pick<SendingAddressRepository, 'learn'> = {
    learn: async (...found) => {
      learned.push(found);
    },
  };
  const origins = new SentOriginRegistry();
  new SendingAddressListener(origins, addresses as SendingAddressRepository).onModuleInit();
  await origins.notify('workspace', 'mailbox', '8.8.4.4');
  expect(learned).toEqual([['workspace', 'mailbox', '8.8.4.4']]);
});
