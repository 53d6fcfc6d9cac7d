import { type SendingAddressesService } from '@domain/deliverability';
import { SentOriginRegistry } from '@domain/warmup';
import { SendingAddressListener } from './sending-address.listener';

it('tells blacklist tests of the addresses that warmup has seen a mailbox send from', async () => {
  const learned: string[][] = [];
  const addresses: Pick<SendingAddressesService, 'learn'> = {
    learn: async (...found) => {
      learned.push(found);
    },
  };
  const origins = new SentOriginRegistry();
  new SendingAddressListener(origins, addresses as SendingAddressesService).onModuleInit();
  await origins.seen('workspace', 'mailbox', '8.8.4.4');
  expect(learned).toEqual([['workspace', 'mailbox', '8.8.4.4']]);
});
