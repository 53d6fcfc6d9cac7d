import { type DynamicModule, Global, Module, type Type } from '@nestjs/common';
import { getConnectionToken, getModelToken, MongooseModule } from '@nestjs/mongoose';
import { Clock } from '@platform/clock';
import { Config } from '@platform/config';
import { Log } from '@platform/observability';
import mongoose, { type Connection } from 'mongoose';
import { collectionOf, schemaOf } from './collection.decorator';
import { CollectionIndexes } from './collection.indexes';
import { connected } from './connection.attempts';
import { connectionOptions } from './connection.options';
import { DatabaseHealth } from './database.health';
import { DueWork } from './due.work';
import { driverConnection, endWritesWithTheirConnection } from './driver.patch';
import { LeaseRecord, Leases } from './lease.service';
import { Pages } from './page.service';
import { guardTenant } from './tenant.guard';
import { stampFrom } from './timestamps.plugin';
import { Transactions } from './transactions.service';

// Mongoose then hands the session of `Transactions.run` to every call made inside it.
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
          inject: [Config, Clock, Log],
          useFactory: (config: Config, clock: Clock, log: Log) => ({
            uri: config.mongodbUri,
            ...connectionOptions(appName),
            // Nest does not wait and does not try again: `connected` does both, and says so in our own log.
            lazyConnection: true,
            retryAttempts: 0,
            connectionFactory: (connection: Connection) => {
              connection.plugin(guardTenant);
              connection.plugin(stampFrom(clock));
              return connected(connection, [config.mongodbUri, () => connectionOptions(appName)], log);
            },
          }),
        }),
        DatabaseModule.collections(LeaseRecord),
      ],
      providers: [Transactions, Pages, Leases, CollectionIndexes, DatabaseHealth, DueWork],
      exports: [Transactions, Pages, Leases, CollectionIndexes, DueWork, MongooseModule],
    };
  }

  /** Makes the models of these record classes injectable: `@InjectModel(ApiKey.name)`. */
  static collections(...records: Type[]): DynamicModule {
    const providers = records.map((record) => ({
      provide: getModelToken(record.name),
      inject: [getConnectionToken()],
      useFactory: (connection: Connection) =>
        connection.model(record.name, schemaOf(record), collectionOf(record).collection),
    }));
    return { module: CollectionsModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}

@Module({})
class CollectionsModule {}
