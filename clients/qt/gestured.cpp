// SPDX-License-Identifier: MIT
#include "gestured.hpp"

#include "region.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QQmlEngine>
#include <QSocketNotifier>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <gestured.h>

Gestured::Gestured(QObject *parent) : QObject(parent) {}

Gestured::~Gestured() {
    delete m_notifier;
    gestured_free(m_client);
}

Gestured *Gestured::of(const QObject *item) {
    QQmlEngine *engine = qmlEngine(item);
    return engine ? engine->singletonInstance<Gestured *>(qmlTypeId("Gestured", 1, 0, "Gestured")) : nullptr;
}

QString Gestured::newId() { return m_prefix + QString::number(++m_lastNumber); }

static void logMessage(void *, gestured_log_priority priority, const char *message) {
    if (priority == GESTURED_LOG_ERROR) qWarning("gestured: %s", message);
}

void Gestured::connectToDaemon() {
    if (m_client) return;
    m_client = gestured_new(m_socket.isEmpty() ? nullptr : m_socket.toUtf8().constData());
    if (!m_client) return qWarning("gestured: %s: %s", qPrintable(m_socket), strerror(errno));
    gestured_set_log_handler(m_client, logMessage, nullptr);
    gestured_options options = {};
    options.phases = "begin update end cancel";
    gestured_subscribe(m_client, &options);
    m_notifier = new QSocketNotifier(gestured_get_fd(m_client), QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &Gestured::dispatch);
}

void Gestured::dispatch() {
    gestured_dispatch(m_client);
    while (const gestured_event *event = gestured_next_event(m_client)) {
        const gestured_gesture *gesture = gestured_event_get_gesture(event);
        const gestured_config *config = gestured_event_get_config(event);
        QVariantMap line = QJsonDocument::fromJson(gestured_event_get_line(event)).object().toVariantMap();
        if (gestured_event_get_hello(event) || (config && config->change != QByteArray("rejected")))
            m_devicesRequest = gestured_request(m_client, "devices", nullptr);
        if (const gestured_reply *reply = gestured_event_get_reply(event)) {
            take(*reply, line);
            continue;
        }
        if (gesture && gesture->added)
            line = {{"event", "gesture"}, {"gesture", gesture->gesture}, {"name", gesture->name}, {"phase", "cancel"},
                {"reason", gesture->reason}, {"region", gesture->region}, {"sequence", qint64(gesture->sequence)}, {"added", true}};
        if (gesture) {
            const QString id = QString::fromUtf8(gesture->region);
            const auto regions = m_regions;
            for (Region *region : regions)
                if (m_regions.contains(region) && region->id() == id) region->take(*gesture, line);
        }
        emit this->event(line);
    }
    setConnected(gestured_is_connected(m_client));
}

void Gestured::setConnected(bool isConnected) {
    if (isConnected == m_isConnected) return;
    m_isConnected = isConnected;
    emit connectedChanged();
}

void Gestured::take(const gestured_reply &reply, const QVariantMap &line) {
    if (reply.id == m_devicesRequest) {
        for (const QVariant &value : line.value("devices").toList()) {
            const QVariantMap device = value.toMap(), output = device.value("output").toMap();
            if (!output.isEmpty() && (m_device.isEmpty() || device.value("device") == m_device))
                m_outputSize = {output.value("width").toDouble(), output.value("height").toDouble()};
        }
        return;
    }
    for (auto told = m_told.begin(); told != m_told.end(); ++told) {
        if (told->waiting != reply.id) continue;
        told->waiting = 0;
        const auto region = std::find_if(m_regions.begin(), m_regions.end(), [&](Region *one) { return one->id() == told.key(); });
        told->isRefused = !reply.ok;
        if (told->isRefused) m_order.removeAll(told.key());
        if (told->isRefused && region != m_regions.end()) {
            const QVariantList mistakes = line.value("error").toMap().value("diagnostics").toList();
            const QString message = mistakes.isEmpty() ? QString() : mistakes.first().toMap().value("message").toString();
            (*region)->warn(message.isEmpty() ? QString::fromUtf8(reply.message) : message);
        }
        // The item may have moved meanwhile.
        synchronize();
        return;
    }
    emit this->reply(reply.id, reply.ok, line);
}

void Gestured::add(Region *region) {
    m_regions.append(region);
    connectToDaemon();
}

void Gestured::remove(Region *region) {
    m_regions.removeAll(region);
    forget(region->id());
}

void Gestured::forget(const QString &id) {
    m_told.remove(id);
    if (m_order.removeAll(id) && m_client) gestured_remove_region(m_client, id.toUtf8().constData(), true);
}

/// The regions that can be touched, from the lowest to the topmost.
QList<Region *> Gestured::visibleRegions() const {
    QList<QPair<QList<QPair<qreal, int>>, Region *>> ordered;
    for (Region *region : m_regions)
        if (region->isTouchable()) ordered.append({region->paintOrder(), region});
    std::stable_sort(ordered.begin(), ordered.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    QList<Region *> regions;
    for (const auto &pair : ordered) regions.append(pair.second);
    return regions;
}

/// Sends a region, unless the answer to its last change is still missing. `below`: the region directly above it, if its place changes.
void Gestured::put(Region *region, const QByteArray &definition, const QString &below) {
    Told &told = m_told[region->id()];
    if (told.waiting) return;
    const QByteArray above = below.toUtf8();
    const qint64 number = gestured_put_region(m_client, definition.constData(), below.isEmpty() ? nullptr : above.constData(), true);
    if (number < 0) region->warn(QString::fromUtf8(strerror(int(-number))));
    told = {definition, std::max<qint64>(number, 0), number < 0};
    if (number < 0) return;
    if (!below.isEmpty()) m_order.removeAll(region->id());
    if (!m_order.contains(region->id())) m_order.insert(below.isEmpty() ? m_order.size() : m_order.indexOf(below), region->id());
}

void Gestured::synchronize() {
    if (!m_client) return;
    QList<Region *> regions = visibleRegions();
    QStringList visible, wanted;
    for (Region *region : regions) visible.append(region->id());
    const QStringList known = m_order;
    for (const QString &id : known)
        if (!visible.contains(id)) forget(id);
    QList<QByteArray> definitions;
    for (qsizetype index = 0; index < regions.size();) {
        const QByteArray definition = regions[index]->definition();
        const Told told = m_told.value(regions[index]->id());
        if (told.isRefused && told.definition == definition) {
            regions.removeAt(index);
        } else {
            wanted.append(regions[index++]->id());
            definitions.append(definition);
        }
    }
    // From the lowest up, because the daemon must know a region before those in it.
    for (qsizetype index = 0; index < regions.size(); index++) {
        const bool isNew = !m_order.contains(wanted[index]);
        if (!isNew && m_told[wanted[index]].definition == definitions[index]) continue;
        QString below;
        for (qsizetype above = index + 1; isNew && below.isEmpty() && above < wanted.size(); above++)
            if (m_order.contains(wanted[above])) below = wanted[above];
        put(regions[index], definitions[index], below);
    }
    for (qsizetype index = regions.size() - 2; index >= 0; index--)
        if (m_order.indexOf(wanted[index]) + 1 != m_order.indexOf(wanted[index + 1]))
            put(regions[index], definitions[index], wanted[index + 1]);
}

qint64 Gestured::request(const QString &command, const QVariantMap &keys) {
    connectToDaemon();
    const QByteArray json = QJsonDocument(QJsonObject::fromVariantMap(keys)).toJson(QJsonDocument::Compact);
    return m_client ? gestured_request(m_client, command.toUtf8().constData(), json.constData()) : -ENOMEM;
}

qint64 Gestured::setScene(const QString &scene, qint64 forMilliseconds) {
    connectToDaemon();
    return m_client ? gestured_set_scene(m_client, scene.toUtf8().constData(), forMilliseconds) : -ENOMEM;
}
