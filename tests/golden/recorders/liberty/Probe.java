import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.jms.Connection;
import javax.jms.ConnectionFactory;
import javax.jms.DeliveryMode;
import javax.jms.Destination;
import javax.jms.JMSException;
import javax.jms.Message;
import javax.jms.MessageConsumer;
import javax.jms.MessageProducer;
import javax.jms.QueueBrowser;
import javax.jms.Session;
import javax.jms.TemporaryQueue;
import javax.jms.Topic;
import javax.naming.InitialContext;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/**
 * Does to the messaging engine what a request asks for, through JMS alone, and answers in JSON what came of it.
 *
 * <p>A request is {@code /send}, {@code /take}, {@code /look}, {@code /publish} or {@code /temporary} with
 * parameters; each method says which. What a client would be thrown is part of the answer, with every cause:
 * the reason is in the cause.
 */
@WebServlet("/*")
public class Probe extends HttpServlet {
    private static final String ID = "probe";
    private static final String EVERY_TOPIC = "//.";
    private static final long serialVersionUID = 1;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Map<String, Object> answer = new LinkedHashMap<>();
        try (Connection connection = factory(request).createConnection()) {
            connection.start();
            switch (request.getPathInfo()) {
                case "/send" -> send(request, connection);
                case "/take" -> take(request, connection, answer);
                case "/look" -> look(request, connection, answer);
                case "/publish" -> publish(request, connection, answer);
                case "/temporary" -> temporary(request, connection, answer);
                default -> throw new IllegalArgumentException(request.getPathInfo());
            }
        } catch (Exception thrown) {
            answer.put("error", causes(thrown));
        }
        response.setContentType("application/json");
        response.setCharacterEncoding("UTF-8");
        StringBuilder text = new StringBuilder();
        write(answer, text);
        response.getWriter().print(text);
    }

    /** {@code factory}: the connection factory, which chooses the reliability of messages. */
    private static ConnectionFactory factory(HttpServletRequest request) throws Exception {
        return (ConnectionFactory) new InitialContext().lookup("jms/" + request.getParameter("factory"));
    }

    /** {@code to}, {@code id}, {@code persistent}; {@code topic} for a topic of the topic space {@code to}. */
    private static void send(HttpServletRequest request, Connection connection) throws Exception {
        try (Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
            Destination to = destination(session, request);
            try (MessageProducer producer = session.createProducer(to)) {
                send(session, producer, request);
            }
        }
    }

    private static void send(Session session, MessageProducer producer, HttpServletRequest request) throws JMSException {
        Message message = session.createTextMessage(request.getParameter("id"));
        message.setStringProperty(ID, request.getParameter("id"));
        for (String property : values(request, "property")) {
            String[] parts = property.split(":", 3);
            switch (parts[1]) {
                case "int" -> message.setIntProperty(parts[0], Integer.parseInt(parts[2]));
                case "double" -> message.setDoubleProperty(parts[0], Double.parseDouble(parts[2]));
                case "bool" -> message.setBooleanProperty(parts[0], Boolean.parseBoolean(parts[2]));
                default -> message.setStringProperty(parts[0], parts[2]);
            }
        }
        boolean persistent = Boolean.parseBoolean(request.getParameter("persistent"));
        producer.setDeliveryMode(persistent ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
        producer.send(message);
    }

    /**
     * A queue, or a topic of a topic space; with each {@code path} an element of its forward routing path, which the
     * interface of the product has and JMS has not.
     */
    private static Destination destination(Session session, HttpServletRequest request) throws Exception {
        String topic = request.getParameter("topic");
        String to = request.getParameter("to");
        Destination made = topic == null ? session.createQueue(to) : topic(session, to, topic);
        String[] path = values(request, "path");
        if (path.length > 0) {
            made.getClass().getMethod("setForwardRoutingPath", String[].class).invoke(made, (Object) path);
        }
        return made;
    }

    private static Topic topic(Session session, String space, String topic) throws JMSException {
        return session.createTopic("topic://" + topic + "?topicSpace=" + space);
    }

    /**
     * {@code from}, {@code times}: receives and gives back that often. Answers the delivery counts, and what is
     * published meanwhile in each {@code space}.
     */
    private static void take(HttpServletRequest request, Connection connection, Map<String, Object> answer) throws JMSException {
        List<Object> counts = new ArrayList<>();
        answer.put("counts", counts);
        List<Object> published = new ArrayList<>();
        answer.put("published", published);
        try (Session listening = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
            Map<String, MessageConsumer> listeners = new LinkedHashMap<>();
            for (String space : values(request, "space")) {
                listeners.put(space, listening.createConsumer(topic(listening, space, EVERY_TOPIC)));
            }
            try (MessageConsumer consumer = session.createConsumer(session.createQueue(request.getParameter("from")))) {
                giveBack(request, session, consumer, counts);
            }
            for (Map.Entry<String, MessageConsumer> each : listeners.entrySet()) {
                for (Message one; (one = each.getValue().receive(50)) != null; ) {
                    published.add(shown(each.getKey(), one));
                }
            }
        }
    }

    private static void giveBack(HttpServletRequest request, Session session, MessageConsumer consumer, List<Object> counts)
            throws JMSException {
        for (int left = Integer.parseInt(request.getParameter("times")); left > 0; left--) {
            Message message = consumer.receive(patience(request));
            if (message == null) {
                return;
            }
            counts.add(message.getIntProperty("JMSXDeliveryCount"));
            session.rollback();
        }
    }

    /**
     * {@code name} (several), {@code id}: where the message is, looked for until it is found or {@code patience} is
     * over. It is taken from there; what else is there is not looked at.
     */
    private static void look(HttpServletRequest request, Connection connection, Map<String, Object> answer) throws Exception {
        List<Object> found = new ArrayList<>();
        answer.put("found", found);
        long until = System.nanoTime() + patience(request) * 1_000_000;
        try (Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
            do {
                for (String name : values(request, "name")) {
                    if (look(session, name, request.getParameter("id"), found)) {
                        drain(session, name, request.getParameter("id"));
                    }
                }
                if (found.isEmpty()) {
                    Thread.sleep(50);
                }
            } while (found.isEmpty() && System.nanoTime() < until);
        }
    }

    private static boolean look(Session session, String name, String id, List<Object> found) throws JMSException {
        int before = found.size();
        try (QueueBrowser browser = session.createBrowser(session.createQueue(name), selector(id))) {
            for (Enumeration<?> messages = browser.getEnumeration(); messages.hasMoreElements(); ) {
                found.add(shown(name, (Message) messages.nextElement()));
            }
        }
        return found.size() > before;
    }

    private static void drain(Session session, String name, String id) throws JMSException {
        try (MessageConsumer consumer = session.createConsumer(session.createQueue(name), selector(id))) {
            consumer.receive(500);
        }
    }

    private static String selector(String id) {
        return ID + " = '" + id + "'";
    }

    private static Map<String, Object> shown(String name, Message message) throws JMSException {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("at", name);
        one.put("count", message.getIntProperty("JMSXDeliveryCount"));
        one.put("sent_to", String.valueOf(message.getJMSDestination()));
        one.put("reason", message.getObjectProperty("JMS_IBM_ExceptionReason"));
        one.put("problem", message.getStringProperty("JMS_IBM_ExceptionProblemDestination"));
        return one;
    }

    /**
     * {@code subscriber} (several, each TOPIC|SELECTOR): subscribes all, publishes one message as {@code /send} does,
     * and answers for each subscriber how many copies came.
     */
    private static void publish(HttpServletRequest request, Connection connection, Map<String, Object> answer) throws Exception {
        List<Object> copies = new ArrayList<>();
        answer.put("copies", copies);
        try (Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
            List<MessageConsumer> subscribers = new ArrayList<>();
            for (String each : values(request, "subscriber")) {
                String[] parts = each.split("\\|", 2);
                Topic topic = topic(session, request.getParameter("to"), parts[0]);
                subscribers.add(session.createConsumer(topic, parts[1].isEmpty() ? null : parts[1]));
            }
            try (MessageProducer producer = session.createProducer(destination(session, request))) {
                send(session, producer, request);
            }
            for (MessageConsumer subscriber : subscribers) {
                int count = 0;
                while (subscriber.receive(patience(request)) != null) {
                    count++;
                }
                copies.add(count);
                subscriber.close();
            }
        }
    }

    /**
     * {@code times}: a message to a temporary queue, given back that often, and one to the queue once it is deleted.
     */
    private static void temporary(HttpServletRequest request, Connection connection, Map<String, Object> answer) throws JMSException {
        List<Object> counts = new ArrayList<>();
        answer.put("counts", counts);
        try (Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
            TemporaryQueue queue = session.createTemporaryQueue();
            answer.put("name", queue.getQueueName());
            MessageProducer producer = session.createProducer(queue);
            send(session, producer, request);
            session.commit();
            try (MessageConsumer consumer = session.createConsumer(queue)) {
                giveBack(request, session, consumer, counts);
            }
            producer.close();
            session.commit();
            try (MessageConsumer consumer = session.createConsumer(queue)) {
                Message left = consumer.receive(patience(request));
                answer.put("left", left == null ? null : left.getIntProperty("JMSXDeliveryCount"));
                session.commit();
            }
            queue.delete();
            try (MessageProducer late = session.createProducer(queue)) {
                send(session, late, request);
            } catch (JMSException thrown) {
                answer.put("late", causes(thrown));
            }
        }
    }

    private static long patience(HttpServletRequest request) {
        return Long.parseLong(request.getParameter("patience"));
    }

    private static String[] values(HttpServletRequest request, String name) {
        String[] all = request.getParameterValues(name);
        return all == null ? new String[0] : all;
    }

    /** Each exception of a chain: its class, text and, of the exceptions of the engine, the reason code. */
    private static List<Object> causes(Throwable thrown) {
        List<Object> all = new ArrayList<>();
        for (Throwable at = thrown; at != null && all.size() < 10; at = at.getCause()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("class", at.getClass().getSimpleName());
            one.put("text", String.valueOf(at.getMessage()));
            Object reason = reason(at);
            if (reason != null) {
                one.put("reason", reason);
            }
            all.add(one);
        }
        return all;
    }

    private static Object reason(Throwable thrown) {
        try {
            return thrown.getClass().getMethod("getExceptionReason").invoke(thrown);
        } catch (ReflectiveOperationException none) {
            return null; // not an exception of the engine
        }
    }

    private static void write(Object value, StringBuilder into) {
        if (value instanceof Map<?, ?> map) {
            String before = "{";
            for (Map.Entry<?, ?> each : map.entrySet()) {
                into.append(before);
                write(each.getKey(), into);
                into.append(':');
                write(each.getValue(), into);
                before = ",";
            }
            into.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> list) {
            String before = "[";
            for (Object each : list.isEmpty() ? Collections.emptyList() : list) {
                into.append(before);
                write(each, into);
                before = ",";
            }
            into.append(list.isEmpty() ? "[]" : "]");
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            into.append(value);
        } else {
            quote(value.toString(), into);
        }
    }

    private static void quote(String text, StringBuilder into) {
        into.append('"');
        for (char each : text.toCharArray()) {
            if (each == '"' || each == '\\') {
                into.append('\\').append(each);
            } else if (each < ' ') {
                into.append(String.format("\\u%04x", (int) each));
            } else {
                into.append(each);
            }
        }
        into.append('"');
    }
}
