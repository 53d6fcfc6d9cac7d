import { type Topic } from '../vocabulary';

export const work: readonly Topic[] = [
  {
    name: 'document-review',
    subjects: [
      '[Bozza|Prima bozza|Nuova bozza] di {project}',
      'Il tuo parere sul documento di {project}',
      '{project}: documento da rileggere',
    ],
    opening: [
      [
        'la [prima|nuova|seconda] bozza di {project} è pronta.',
        'ho [finito|riscritto] il documento su {project} di cui avevamo parlato.',
        'la mia versione del documento di {project} è [ora|finalmente] nella cartella condivisa.',
      ],
      [
        'Prima di mandarlo agli altri vorrei il tuo parere, soprattutto sulla [seconda|terza] parte.',
        'Un altro paio di occhi [aiuterebbe|farebbe bene], soprattutto per [l’introduzione|la parte centrale].',
        '[L’introduzione|La conclusione] non mi convince ancora del tutto, magari hai un’idea [migliore|].',
      ],
      [
        'Riesci a [leggerlo|guardarlo] entro {day}?',
        'Se trovi [mezz’ora|venti minuti] prima di {day}, mi faresti un favore.',
        'I commenti [a margine|nel testo] vanno benissimo, quando vuoi entro {day}.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'l’ho appena letto, è [chiaro|scritto bene|facile da seguire].',
            '[bel lavoro|ottimo lavoro], l’ho letto [stamattina|con un caffè] e ho solo [qualche|qualche piccola] osservazione.',
          ],
          [
            'Nella [seconda|terza] parte metterei prima [l’esempio|la tabella], e la conclusione potrebbe essere un po’ più corta.',
            'L’introduzione potrebbe dire prima [di che cosa si tratta|a chi si rivolge], per il resto lo lascerei così.',
          ],
        ],
        closing: [
          [
            'grazie, sono [buoni|ottimi] spunti. Inserisco i tuoi spunti [oggi|domani] e mando il documento a tutti {day}.',
            'mi aiuti [molto|davvero], grazie. Cambio quella parte e lascio la versione [finale|pulita] nella cartella.',
          ],
        ],
      },
      {
        reply: [
          [
            '[volentieri|certo], ma non ci arrivo prima di {day} [pomeriggio|sera].',
            'lo leggo con piacere, solo che il tempo lo trovo {day} pomeriggio.',
          ],
          [
            'Per te è ancora in tempo? Altrimenti qualcuno del gruppo potrebbe iniziare.',
            'Se ti serve prima, dimmi quali [due|tre] pagine contano di più e leggo quelle per prime.',
          ],
        ],
        closing: [
          [
            '{day} va [benissimo|bene], fai con calma. La [prima|seconda] parte è la più importante, il resto lo conosci già.',
            'è ampiamente in tempo, grazie. Aspetto i tuoi commenti e intanto [controllo|rivedo] i numeri.',
          ],
        ],
      },
    ],
  },
  {
    name: 'project-status',
    subjects: [
      '{project}: a che punto siamo?',
      '[Stato|Breve stato|Avanzamento] di {project}',
      '{project} entro {day}',
    ],
    opening: [
      [
        'per la riunione di {day} sto [raccogliendo|preparando] lo stato di {project}.',
        '{day} parliamo di {project} nella riunione [settimanale|con tutto il gruppo].',
        'sto [aggiornando|scrivendo] il riepilogo di {project}.',
      ],
      [
        'Da parte nostra la grafica è pronta, e le prove sono [a metà|a buon punto].',
        'Siamo [più o meno|in generale] nei tempi, solo la [traduzione|documentazione] richiede un po’ di più.',
        'La lista dei punti aperti è molto più corta, ne restano solo [tre|quattro].',
      ],
      [
        'Come va dalla vostra parte?',
        'Potresti scrivermi due o tre frasi sulla vostra parte?',
        'C’è qualcosa che vi [frena|blocca], o in cui possiamo dare una mano?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'da noi procede tutto [come previsto|bene].',
            'buone notizie, siamo anche [un po’|leggermente] in anticipo.',
          ],
          [
            'La [prima|seconda] parte è [provata|finita], e il resto arriva [entro {day}|in settimana].',
            'Abbiamo chiuso [due|tre] punti grossi [questa settimana|la settimana scorsa], e niente ci blocca.',
            'Manca solo [il manuale|un’approvazione], e dovrebbe arrivare entro {day}.',
          ],
        ],
        closing: [
          [
            'mi sembra [ottimo|molto bene], grazie. Lo riporto così nel riepilogo e te lo mostro prima di {day}.',
            '[perfetto|ottimo], non mi serve altro. Ringrazia tutto il gruppo da parte mia.',
          ],
        ],
      },
      {
        reply: [
          [
            'siamo indietro di qualche giorno, la settimana scorsa mancavano due colleghi.',
            'si va avanti, ma [più lentamente|un po’ più piano] del previsto.',
          ],
          [
            'Sarebbe utile rivedere insieme l’ordine delle attività [entro {day}|in settimana].',
            'Se la verifica potesse essere [uno o due giorni|un po’] più tardi, ce la faremmo [senza affanno|bene].',
          ],
        ],
        closing: [
          [
            'grazie per averlo detto [per tempo|con chiarezza]. Possiamo spostare le date [di poco|di qualche giorno], ti chiamo e rivediamo la lista.',
            'nessun problema, [due|un paio di] giorni in più vanno bene. Lo segno nel riepilogo e cerco un momento per noi.',
          ],
        ],
      },
    ],
  },
  {
    name: 'supplier',
    subjects: [
      '[Nuovo|Altro] fornitore per {project}',
      'La tua esperienza con i fornitori di {city}',
      'Fornitori a {city}',
    ],
    opening: [
      [
        'cerchiamo un [nuovo|secondo] fornitore per [gli stampati|gli imballaggi|i mobili] di {project}.',
        'il nostro fornitore di [imballaggi|stampati] chiude il laboratorio di {city} a fine anno.',
        'per {project} ci serve un fornitore [affidabile|serio] vicino a {city}.',
      ],
      [
        'Tu hai lavorato lì con qualcuno [l’anno scorso|qualche tempo fa], se ricordo bene.',
        'Mi hanno detto che vi trovate molto bene con il vostro.',
        'Per noi il buon lavoro e i tempi rispettati contano più di un grande catalogo.',
      ],
      [
        'Potresti [consigliarci|indicarci] qualcuno, o darmi un contatto?',
        'Che impressione hai avuto, e con chi conviene parlare?',
        'Avresti dieci minuti [in settimana|{day}] per raccontarmelo?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'sì, lavoriamo da [tre|alcuni] anni con una [piccola |]azienda di famiglia vicino a {city}.',
            'con il nostro ci troviamo [davvero|molto] bene, è una piccola azienda vicino a {city}.',
          ],
          [
            'Rispettano i tempi, e se qualcosa va storto c’è sempre qualcuno al telefono.',
            'Sono persone gentili e serie, basta ordinare per tempo [in estate|prima delle feste].',
          ],
          ['Ti mando il contatto [nel pomeriggio|domani].', 'Di’ pure che [ci conosci|vieni da parte nostra].'],
        ],
        closing: [
          [
            'è proprio quello che cerchiamo, grazie. Li chiamo [in settimana|{day}] e ti racconto com’è andata.',
            '[perfetto|ottimo], grazie del consiglio. Fisso una visita e li saluto da parte tua.',
          ],
        ],
      },
      {
        reply: [
          [
            'non lavoriamo più con loro, erano diventati troppo lontani per noi.',
            'a dire il vero l’impressione era a metà: buon lavoro, ma [spesso|quasi sempre] una settimana dopo.',
          ],
          [
            'Posso chiedere ai colleghi del magazzino, che ne hanno conosciuti altri due [il mese scorso|in fiera].',
            'Posso chiedere in giro {day}, qualcuno conosce di sicuro un nome migliore.',
          ],
        ],
        closing: [
          [
            'grazie per la sincerità, ci eviti [molti|alcuni] problemi. Sarebbe bello se potessi chiedere in giro.',
            'buono a sapersi, grazie. Aspetto che tu sappia qualcosa, abbiamo ancora [qualche settimana|alcune settimane].',
          ],
        ],
      },
    ],
  },
  {
    name: 'training',
    subjects: [
      '[Corso|Laboratorio] [a {city}|di {day}]',
      '[Due posti|Posti] nel [corso|laboratorio]',
      'Un [corso|laboratorio] che potrebbe interessarti',
    ],
    opening: [
      [
        '{day} della prossima settimana organizziamo un laboratorio di [un giorno|mezza giornata][ a {city}|].',
        '{day} della prossima settimana c’è a {city} un corso [sulle presentazioni|sulla gestione dei progetti|sulla scrittura].',
        'il nostro reparto ha {day} della prossima settimana un corso [sulle riunioni|sul lavoro di gruppo].',
      ],
      [
        'Ci sono ancora due posti, e ho pensato [subito |]a [te|voi].',
        'Chi lo tiene è molto in gamba, ho seguito uno dei corsi [l’anno scorso|tempo fa].',
        'Inizia alle {time} ed è molto pratico, [con molti esercizi|senza lunghe slide].',
      ],
      [
        'Ti piacerebbe partecipare[, o magari a qualcuno del gruppo|]?',
        'Può interessare a te, o magari a chi è appena arrivato?',
        'Fammi sapere [entro domani|nei prossimi giorni] se tengo un posto.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'sì, [molto volentieri|vengo volentieri], tienimi un posto.',
            'grazie per aver pensato a me, [ci sarò|vengo con piacere].',
          ],
          [
            'Devo [preparare|portare] qualcosa, o basta un quaderno?',
            'C’è qualcosa da leggere prima, e in quale sala si tiene?',
          ],
        ],
        closing: [
          [
            'il tuo nome è in lista, [ottimo|perfetto]. Basta un quaderno, e il giorno prima ti mando la sala.',
            'ti ho messo in lista, non c’è niente da preparare. La sala è [al secondo piano|accanto alla mensa], e ci sarà il caffè.',
          ],
        ],
      },
      {
        reply: [
          [
            '{day} io non riesco, ma qualcuno del gruppo chiedeva proprio [questo|una cosa simile].',
            'per me non è la settimana giusta, ma a chi è appena arrivato da noi farebbe [molto |]comodo.',
          ],
          [
            'Puoi tenere il posto fino a domani? Chiedo [subito|oggi stesso].',
            'Posso inoltrare il tuo messaggio, e mi tieni il posto [fino a domani|nel frattempo]?',
          ],
        ],
        closing: [
          [
            'certo, tengo il posto [per due giorni|fino a dopodomani]. Poi mi serve solo il nome per la lista.',
            'sì, [fai pure|senza problemi]. Le domande possono arrivare direttamente a me, e il posto resta riservato.',
          ],
        ],
      },
    ],
  },
  {
    name: 'onboarding',
    subjects: ['Rinforzi per {project}', 'Prima settimana nel gruppo', '[Presentazione|Una breve presentazione] {day}'],
    opening: [
      [
        '{day} prossimo arriva una persona nuova nel nostro gruppo, che seguirà una parte di {project}.',
        'abbiamo coperto il posto vacante: una persona nuova inizia {day} prossimo.',
        'il nostro rinforzo per {project} inizia {day} prossimo.',
      ],
      [
        'Sarebbe bello se poteste conoscervi [presto|già all’inizio].',
        'Sto preparando il programma della prima settimana e vorrei [tanto |]che ci fossi anche tu.',
        'Tu conosci gli inizi del progetto meglio di [chiunque|quasi tutti noi].',
      ],
      [
        'Avresti [mezz’ora|trenta minuti] alle {time} per una [breve |]presentazione?',
        'Potresti mostrare come lavora il tuo gruppo, per esempio alle {time}?',
        'Potresti [passare|unirti a noi] alle {time} e raccontare qualcosa [del tuo gruppo|della vostra parte]?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[con piacere|certo], {day} ho [tempo|mezz’ora].',
            'che bella notizia che avete trovato qualcuno, do una mano volentieri.',
          ],
          [
            'Mostro i [primi|principali] passaggi e lascio tempo per le domande.',
            'C’è una pagina con le domande più frequenti, te la mando [prima|oggi].',
          ],
        ],
        closing: [
          [
            'sei molto gentile, grazie. Ti segno per {day} alle {time} e mando l’invito.',
            'perfetto, grazie per il tuo tempo. Lo aggiungo al programma di {day}, e porto io il caffè.',
          ],
        ],
      },
      {
        reply: [
          [
            'mi piacerebbe, ma quella settimana sono fuori [quasi ogni giorno|quasi sempre].',
            'buona idea, solo che quella settimana per me è [molto|piuttosto] piena.',
          ],
          [
            'Possiamo fare invece [una telefonata|una videochiamata], o vederci la settimana dopo?',
            'La presentazione può farla qualcuno del mio gruppo, e io mi unisco [più tardi|la seconda settimana].',
          ],
        ],
        closing: [
          [
            '[certo|volentieri], va bene anche così. Lo metto in programma e ti mando la nuova versione [domani|presto].',
            'buona proposta, facciamo così. All’inizio c’è comunque molto da leggere, un po’ più tardi è perfino meglio.',
          ],
        ],
      },
    ],
  },
  {
    name: 'tool-question',
    subjects: [
      '[Domanda|Una domanda|Piccola domanda] sullo strumento di pianificazione',
      'Come fate con lo strumento di pianificazione?',
      'Un [piccolo |]aiuto con la pianificazione',
    ],
    opening: [
      [
        'tu conosci bene il nostro strumento di pianificazione, magari puoi aiutarmi [un attimo|].',
        'sto preparando la bacheca di {project} e non vado più avanti.',
        'dopo l’ultimo aggiornamento la vista di {project} è [diversa|strana] sul mio schermo.',
      ],
      [
        'Quando [sposto|copio] un’attività alla settimana dopo, i commenti spariscono.',
        'Non trovo l’impostazione con cui tutto il gruppo vede la stessa lista.',
        'La lista mostra solo le mie attività, e mancano quelle degli altri.',
      ],
      [
        'È successo [anche |]a te?',
        'Come fate nel vostro gruppo?',
        'Potresti [mostrarmelo|spiegarmelo] in cinque minuti {day}?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'sì, lo conosco, è successo [anche a me|a me di recente].',
            'è [abbastanza |]semplice, ma anch’io ci ho messo un po’ a trovarlo.',
          ],
          [
            'Apri il menu in alto a destra, scegli le impostazioni e cambia la vista in [gruppo|tutti].',
            'Bisogna chiudere la bacheca una volta, riaprirla e scegliere la vista comune[ a sinistra|].',
          ],
          ['Se non funziona ancora, chiamami [pure|senza problemi].', 'Dimmi se ha funzionato.'],
        ],
        closing: [
          [
            'era proprio quello, grazie mille! Avrei cercato ancora un’ora, me lo segno anche per gli altri.',
            '[perfetto|ottimo], ora funziona di nuovo. Grazie per l’aiuto così rapido, ti devo un caffè.',
          ],
        ],
      },
      {
        reply: [
          [
            'non l’avevo ancora visto, sembra una novità dell’ultimo aggiornamento.',
            'che [strano|curioso], da me è tutto come [prima|sempre].',
          ],
          [
            'Chiedo al nostro reparto informatico e ti faccio sapere [entro {day}|domani].',
            '{day} ho un po’ di tempo, possiamo guardarlo insieme.',
          ],
        ],
        closing: [
          [
            'sarebbe [davvero molto utile|di grande aiuto], grazie. Non c’è fretta, intanto uso [la vecchia lista|una lista semplice].',
            'grazie per [il controllo|la mano], io non ne venivo a capo. Fino ad allora lascio [tutto|le cose] così.',
          ],
        ],
      },
    ],
  },
];
