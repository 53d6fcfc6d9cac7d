import { type DynamicModule, Global, Module, type Type } from '@nestjs/common';
import { getConnectionToken, getModelToken, MongooseModule } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { LogService, MetricsService } from '@platform/observability';
import mongoose, { type Connection } from 'mongoose';
import { getCollection, toSchema } from './collection.decorator';
import { CollectionIndexService } from './collection-index.service';
import { waitForConnection } from './connection-attempts';
import { connectionOptions } from './connection-options';
import { DatabaseHealthListener } from './database-health.listener';
import { driverConnection, endWritesWithTheirConnection } from './mongo-driver-patch';
import { LeaseRecord } from './lease.record';
import { LeaseRenewalService } from './lease-renewal.service';
import { LeaseService } from './lease.service';
import { PageService } from './page.service';
import { guardTenant } from './tenant-guard';
import { stampFrom } from './timestamps-plugin';
import { TransactionService } from './transaction.service';

// Mongoose then passes the session of `TransactionService.run` to every call inside it.
mongoose.set('transactionAsyncLocalStorage', true);
endWritesWithTheirConnection(driverConnection());

/** The connection to MongoDB and what every domain uses on it. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(appName: string): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        MongooseModule.forRootAsync({
          inject: [Config, ClockPort, LogService],
          useFactory: (config: Config, clock: ClockPort, log: LogService) => ({
            uri: config.mongodbUri,
            ...connectionOptions(appName),
            // `waitForConnection` waits, retries and logs instead of Nest.
            lazyConnection: true,
            retryAttempts: 0,
            connectionFactory: (connection: Connection) => {
              connection.plugin(guardTenant);
              connection.plugin(stampFrom(clock));
              return waitForConnection(connection, [config.mongodbUri, () => connectionOptions(appName)], log);
            },
          }),
        }),
        DatabaseModule.collections(LeaseRecord),
      ],
      providers: [
        TransactionService,
        PageService,
        LeaseService,
        CollectionIndexService,
        DatabaseHealthListener,
        {
          provide: LeaseRenewalService,
          inject: [Config, MetricsService],
          useFactory: ({ mongodbUri }: Config, metrics: MetricsService) =>
            new LeaseRenewalService(mongodbUri, appName, metrics),
        },
      ],
      exports: [
        TransactionService,
        PageService,
        LeaseService,
        LeaseRenewalService,
        CollectionIndexService,
        MongooseModule,
      ],
    };
  }

  /** Makes the models of these record classes injectable: `@InjectModel(UserKeyRecord.name)`. */
  static collections(...records: Type[]): DynamicModule {
    const providers = records.map((record) => ({
      provide: getModelToken(record.name),
      inject: [getConnectionToken()],
      // Two modules that use the same records share one model.
      useFactory: (connection: Connection) =>
        connection.models[record.name] ??
        connection.model(record.name, toSchema(record), getCollection(record).collection),
    }));
    return { module: CollectionsModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}

@Module({})
class CollectionsModule {}
