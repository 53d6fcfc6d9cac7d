import { type Topic } from '../vocabulary';

export const daily: readonly Topic[] = [
  {
    name: 'meeting-moved',
    subjects: [
      'La nostra riunione della prossima settimana',
      '[Nuova data|Altro orario] per la nostra riunione',
      '[Cambio di orario|Riunione]: {project}',
    ],
    opening: [
      [
        'purtroppo ho avuto un [imprevisto|contrattempo] e devo [spostare|rimandare] la nostra riunione su {project}.',
        'devo [spostare|rimandare] la nostra riunione su {project}, [mi dispiace|scusami].',
        'la mia agenda è [cambiata|stata stravolta] e la nostra riunione su {project} non ci sta più.',
      ],
      [
        '[Ti andrebbe bene|Per te andrebbe bene] {day} della prossima settimana alle {time}?',
        'Possiamo [vederci|incontrarci] {day} della prossima settimana alle {time}?',
        'Che ne dici di {day} della prossima settimana, [verso le|alle] {time}?',
      ],
      [
        'Se non ti va bene, [proponi pure|dimmi tu] [un altro orario|un paio di orari].',
        'Ci basta [al massimo|più o meno] [mezz’ora|una quarantina di minuti], e i temi restano gli stessi.',
        'Cambio l’invito appena [mi rispondi|ho tue notizie].',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[nessun problema|figurati], {day} alle {time} mi va [bene|benissimo].',
            '{day} alle {time} per me è [perfetto|l’ideale][, grazie per il messaggio|].',
          ],
          [
            'Ho già [segnato tutto in agenda|bloccato l’orario] e porto [gli ultimi dati|i punti aperti|gli appunti dell’altra volta].',
            'Mandami pure il nuovo invito, nel frattempo [preparo|rileggo] i punti aperti.',
          ],
        ],
        closing: [
          [
            '[ottimo|perfetto], grazie per la flessibilità. Ho appena cambiato l’invito, quindi ci vediamo {day} alle {time}.',
            'grazie, mi aiuti [molto|davvero]. Il nuovo invito è in arrivo, e ci vediamo {day}.',
          ],
        ],
      },
      {
        reply: [
          [
            '{day} per me è [complicato|un po’ pieno], ho riunioni [tutto il giorno|quasi tutto il giorno].',
            'mi piacerebbe, ma {day} sono [in viaggio|a un corso] fino a sera.',
          ],
          [
            'Sarebbe possibile [una settimana dopo|la settimana dopo], [alla stessa ora|più o meno alla stessa ora]?',
            'Possiamo fare [una settimana dopo|la settimana dopo]? Lì ho più margine.',
          ],
        ],
        closing: [
          [
            '[certo|volentieri], la settimana dopo va altrettanto bene. Ti mando [subito|tra poco] un nuovo invito.',
            'nessun problema, facciamo la settimana dopo. Il nuovo invito ti arriva [oggi|tra qualche minuto].',
          ],
        ],
      },
    ],
  },
  {
    name: 'invoice-question',
    subjects: [
      '[Domanda|Una domanda|Piccola domanda] sulla fattura',
      'Fattura del progetto {project}',
      'Un dettaglio sulla fattura di {project}',
    ],
    opening: [
      [
        'sto [rivedendo|sistemando] i documenti di {project} e ho una piccola domanda sulla vostra ultima fattura.',
        'la nostra contabilità mi ha chiesto della vostra ultima fattura per {project}.',
        'archiviando i documenti di {project} ho notato un [piccolo |]dettaglio sull’ultima fattura.',
      ],
      [
        'Sembra che manchi [il numero d’ordine|il riferimento del progetto], e senza finisce nella cartella sbagliata.',
        'C’è ancora il nostro vecchio indirizzo, anche se ci siamo trasferiti [in primavera|qualche tempo fa].',
        'Una riga dice solo "servizi", e ci servirebbe una [breve |]descrizione.',
      ],
      [
        'Potresti mandarmi una versione corretta entro {day}?',
        'Potresti dare un’occhiata quando hai un momento?',
        'Potresti controllare, o dirmi [chi se ne occupa|a chi chiedere]?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'grazie per [la segnalazione|avermelo detto], hai [proprio |]ragione.',
            'scusami, si è perso quando abbiamo cambiato il modello.',
          ],
          [
            'Ho corretto e ti mando la nuova versione [oggi|entro domani|nel pomeriggio].',
            'La versione corretta ti arriva [domattina|entro stasera].',
          ],
        ],
        closing: [
          [
            '[ottimo|perfetto], grazie per l’aiuto così rapido. Appena arriva la nuova versione la passo alla contabilità.',
            'grazie mille per averci pensato subito. Avviso la contabilità che la nuova versione è in arrivo.',
          ],
        ],
      },
      {
        reply: [
          [
            'non lo so [con certezza|bene], quindi ho chiesto al nostro ufficio.',
            'se ne occupa il nostro ufficio, ho [girato|inoltrato] il tuo messaggio.',
          ],
          [
            'Avrai una risposta con i dati giusti [entro {day}|in settimana].',
            'Ti scriveranno direttamente [entro {day}|tra un giorno o due].',
          ],
        ],
        closing: [
          [
            'grazie per averlo girato, da parte nostra non c’è fretta. Aspetto [con calma|allora] il messaggio del vostro ufficio.',
            'benissimo, non mi serve altro. Lo metto da parte finché il vostro ufficio non risponde.',
          ],
        ],
      },
    ],
  },
  {
    name: 'lunch',
    subjects: [
      'Pranzo {day}?',
      '[Un pranzo|Pranzare insieme] la prossima settimana?',
      'Tempo per un pranzo?',
      'Pausa pranzo a {city}',
    ],
    opening: [
      [
        'è [un po’|troppo tempo] che non pranziamo insieme.',
        '{day} prossimo passo vicino al vostro ufficio e [ho pensato a te|vorrei approfittarne].',
        'hanno aperto un [nuovo |]locale [vicino alla stazione|qui all’angolo], e vorrei provarlo.',
      ],
      [
        'Ti va di pranzare insieme {day} della prossima settimana?',
        'Hai già impegni a pranzo {day} della prossima settimana?',
        'Che ne dici di un pranzo {day} della prossima settimana, [verso l’una|verso mezzogiorno e mezzo]?',
      ],
      [
        'Possiamo parlare di {project}, o semplicemente fare [due chiacchiere|quattro chiacchiere].',
        'Mi piacerebbe anche sapere come va {project}.',
        'Prenoto io il tavolo, dimmi solo che cosa ti piace.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[che bella idea|molto volentieri], {day} mi va [bene|benissimo].',
            '[con piacere|volentieri], {day} a pranzo non ho ancora niente.',
          ],
          [
            'Ci vediamo [all’una|a mezzogiorno e mezzo] davanti al vostro ufficio?',
            'Mangio [di tutto|quasi di tutto], quindi scegli pure il posto che preferisci.',
          ],
        ],
        closing: [
          [
            '[ottimo|che bello], prenoto un tavolo [e ti mando l’indirizzo|per noi]. Ci vediamo {day}, mi fa [molto|davvero] piacere.',
            'benissimo, al tavolo penso io. Passo a prenderti {day} [in reception|davanti all’ingresso].',
          ],
        ],
      },
      {
        reply: [
          [
            'grazie per [l’invito|averci pensato], ma {day} sono [in viaggio|fuori ufficio|da un cliente].',
            'mi sarebbe piaciuto, ma {day} [ho già un impegno|ho una riunione dopo l’altra].',
          ],
          [
            'Possiamo fare la settimana dopo? La mia agenda sarà molto più [tranquilla|leggera].',
            'Che ne dici di un [caffè|pranzo] la settimana dopo? Va bene [qualsiasi giorno|quasi ogni giorno].',
          ],
        ],
        closing: [
          [
            'nessun problema, facciamo la settimana dopo. Ti propongo due o tre giorni [a inizio settimana|per tempo].',
            '[certo|volentieri], la settimana dopo va altrettanto bene. Ti scrivo appena conosco i miei impegni.',
          ],
        ],
      },
    ],
  },
  {
    name: 'travel',
    subjects: [
      '[Viaggio|Il nostro viaggio] a {city}',
      '{city} [la prossima settimana|{day} prossimo]',
      '[Programma|Programmi] per {city}',
    ],
    opening: [
      [
        'sto [preparando|organizzando] [il|il nostro] viaggio a {city} della prossima settimana.',
        '{day} della prossima settimana ci aspettano a {city}, e vorrei organizzare il viaggio.',
        'la [visita|riunione] a {city} di {day} della prossima settimana è confermata.',
      ],
      [
        'Io prenderei il treno [al mattino|verso le otto], così arriviamo [con calma|in tempo].',
        'In treno ci vogliono [circa|poco più di] due ore, e durante il viaggio possiamo preparare la riunione.',
        'Pensavo di partire la sera prima, così [iniziamo la giornata con calma|evitiamo la fretta del mattino].',
      ],
      [
        'Vuoi che prenoti un posto [anche |]per te?',
        'Viaggiamo insieme, o arrivi [per conto tuo|da un’altra parte]?',
        'Ti va bene così, o preferisci venire in macchina?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[sì, grazie|ottima idea], viaggiamo insieme.',
            '[mi sembra perfetto|buona idea], [vengo con te|conta su di me].',
          ],
          [
            'Un posto [vicino al finestrino|al tavolino] sarebbe [l’ideale|perfetto], così rivediamo le slide di {project} in viaggio.',
            'Porto i documenti di {project}, così possiamo [rileggerli|guardarli] in treno.',
          ],
        ],
        closing: [
          [
            '[perfetto|ottimo], ho prenotato due posti vicini. Ti mando gli [orari|ultimi dettagli] [stasera|più tardi].',
            'benissimo, prendo i posti per tutti e due. Ci vediamo [al binario|all’ingresso principale] dieci minuti prima della partenza.',
          ],
        ],
      },
      {
        reply: [
          [
            'grazie per [averlo chiesto|il pensiero], ma [stavolta |]vengo in macchina.',
            'sei molto gentile, ma il giorno prima sono già [in zona|lì].',
          ],
          [
            'Ci vediamo [mezz’ora|venti minuti] prima [all’ingresso|nella hall] e rivediamo i punti principali?',
            'Potremmo prendere un caffè prima della riunione e rivedere la nostra parte.',
          ],
        ],
        closing: [
          [
            '[certo|buona idea], ci vediamo lì mezz’ora prima. Porto una [breve |]scaletta per tutti e due.',
            'per me va [bene|benissimo]. Arrivo un po’ prima e cerco un angolo tranquillo.',
          ],
        ],
      },
    ],
  },
  {
    name: 'weekend-event',
    subjects: ['[Un’idea|Un programma] per sabato', 'Sabato a {city}', 'Vieni a {city} sabato?'],
    opening: [
      [
        'sabato prossimo c’è [una piccola fiera|una giornata aperta|un convegno] a {city} che potrebbe interessarti.',
        'alcuni di noi vanno sabato prossimo [alla fiera|al convegno] di {city}.',
        'hai sentito parlare [della fiera|del convegno] di sabato prossimo a {city}?',
      ],
      [
        'Al mattino ci sono [alcuni|diversi] interventi, e uno di questi si adatta [molto |]bene a {project}.',
        'Il programma è [vario|interessante], e ci sarà [parecchia|molta] gente del settore.',
        'L’anno scorso l’atmosfera era molto [piacevole|rilassata], e ho conosciuto persone [interessanti|simpatiche].',
      ],
      [
        'Vieni con noi? Partiamo [verso le nove|alle otto e mezza].',
        'Ti va? In macchina c’è ancora un posto.',
        'Vuoi che [ti iscriva|metta il tuo nome in lista]? Anche la famiglia è benvenuta.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'sembra [una bella giornata|una bella cosa], [conta su di me|vengo volentieri].',
            '[che coincidenza|che bello], stavo proprio pensando di andarci.',
          ],
          [
            'Arrivo per conto mio e vi trovo all’ingresso [verso le|alle] dieci.',
            'Se in macchina c’è [ancora |]posto, lo prendo [volentieri|con piacere].',
          ],
        ],
        closing: [
          [
            '[bene|ottimo], allora siamo in [quattro|cinque]. Venerdì mando a tutti un messaggio con [gli orari|il punto di ritrovo].',
            'benissimo, ho segnato tutto. Sarà una bella giornata, e di sicuro troviamo il tempo per un caffè.',
          ],
        ],
      },
      {
        reply: [
          [
            'sembra bello, ma sabato [abbiamo ospiti in famiglia|abbiamo già un impegno].',
            'sabato purtroppo non posso, [mia sorella trasloca|festeggiamo un compleanno].',
          ],
          [
            'Mi porti [il programma|un opuscolo], o mi racconti [lunedì|poi] che cosa era interessante?',
            'Raccontami [tutto|com’è andata] la prossima settimana, mi interessa molto.',
          ],
        ],
        closing: [
          [
            '[peccato|che peccato], ma capisco [benissimo|perfettamente]. Prendo appunti e ti racconto tutto [lunedì|la prossima settimana].',
            'nessun problema, magari l’anno prossimo. Ti porto quello che mi sembra [utile|interessante].',
          ],
        ],
      },
    ],
  },
  {
    name: 'thank-you',
    subjects: ['Grazie [ancora|di nuovo]', 'Un [breve|piccolo] grazie', 'Grazie, è stato molto utile'],
    opening: [
      [
        'volevo solo ringraziarti per il tuo [aiuto|sostegno] su {project}.',
        'grazie ancora per [il tuo tempo|la chiacchierata|la visita] a {city}.',
        'è stato un incontro molto [piacevole|utile] su {project}, grazie davvero.',
      ],
      [
        'Le tue [idee|osservazioni] ci hanno già aiutato [molto|parecchio], e la [prima|prossima] bozza è quasi pronta.',
        'I tuoi [suggerimenti|consigli] sono piaciuti molto al gruppo, e li stiamo provando [questa settimana|adesso].',
        'Ho condiviso i tuoi [appunti|pensieri] con il gruppo, e tutti li hanno trovati utili.',
      ],
      [
        'Se un giorno posso fare qualcosa per te, [dimmelo|basta dirlo].',
        'Teniamoci in contatto, magari con [una telefonata|un caffè] [il mese prossimo|tra qualche settimana].',
        'Ti [racconto|faccio sapere] poi [come prosegue|come va a finire].',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[figurati|è stato un piacere], è bello lavorare con tutti voi.',
            'grazie per le [belle|gentili] parole, ho dato una mano volentieri.',
          ],
          [
            'Mi interessa molto il risultato, [mandamelo quando vuoi|tienimi al corrente].',
            'È piaciuto anche a me, quindi [raccontami|dimmi] come [prosegue|va avanti].',
          ],
        ],
        closing: [
          [
            'lo farò [volentieri|di sicuro]. Avrai la [prima|prossima] versione appena è presentabile, e il tuo parere [sincero |]è sempre gradito.',
            'mi fa piacere. Cerchiamo una data per [un caffè|una telefonata] tra [due o tre|qualche] settimane.',
          ],
        ],
      },
      {
        reply: [
          [
            'grazie del messaggio, [mi ha fatto molto piacere|è un bel pensiero].',
            'che gentile da parte tua, lo dirò agli altri.',
          ],
          [
            'Ho dimenticato di dirti una cosa: [partite in piccolo|fate una cosa semplice] e chiedete presto qualche parere. Posso [mandarti|cercarti] i nostri appunti.',
            'Se vuoi ti [cerco|mando] [la nostra lista|gli appunti] di un progetto [simile|dell’anno scorso].',
          ],
        ],
        closing: [
          [
            'grazie, ci sarà [molto utile|di grande aiuto]. Ne parlo alla prossima riunione e ti dico che cosa ne pensano gli altri.',
            'sì, sarebbe [molto utile|di grande aiuto], grazie. Non c’è fretta, la prossima settimana va benissimo.',
          ],
        ],
      },
    ],
  },
];
