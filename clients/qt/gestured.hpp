// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QObject>
#include <QSizeF>
#include <QVariantMap>
#include <QtQml/qqmlregistration.h>

class QJSEngine;
class QQmlEngine;
class QSocketNotifier;
class Region;
struct gestured;
struct gestured_reply;

/// The connection of all `GesturedRegion` items of an engine with the daemon, as the QML singleton `Gestured`.
class Gestured : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
    /// The daemon's socket. Empty: $GESTURED_SOCKET, or the socket of the system's daemon. Set it before the first region.
    Q_PROPERTY(QString socket MEMBER m_socket)
    /// The panel that shows the window. It may stay empty if there is one panel.
    Q_PROPERTY(QString device MEMBER m_device)
    /// The begin of the ids of regions, which `define_prefix` of the daemon's configuration may require.
    Q_PROPERTY(QString prefix MEMBER m_prefix)
    Q_PROPERTY(bool connected READ isConnected NOTIFY connectedChanged)

public:
    explicit Gestured(QObject *parent = nullptr);
    ~Gestured() override;

    bool isConnected() const { return m_isConnected; }

    /// Sends a request; `keys` has its other keys. Returns its number, with which `reply` is emitted; negative: it cannot be sent.
    Q_INVOKABLE qint64 request(const QString &command, const QVariantMap &keys = {});
    /// Switches the scene. With a time in milliseconds, the former scene comes back after it.
    Q_INVOKABLE qint64 setScene(const QString &scene, qint64 forMilliseconds = 0);

    /// The instance of the engine of a QML item.
    static Gestured *of(const QObject *item);

    void add(Region *region);
    void remove(Region *region);
    /// Tells the daemon what has changed since the last frame. Regions call it before a window renders a frame.
    void synchronize();
    QString newId();
    QString device() const { return m_device; }
    /// The size of the panel's output in pixels; empty: not known yet.
    QSizeF outputSize() const { return m_outputSize; }

signals:
    void connectedChanged();
    /// Any line of the daemon, by its keys in docs/protocol.md.
    void event(const QVariantMap &line);
    void reply(qint64 number, bool ok, const QVariantMap &line);

private:
    /// What the daemon has been told about a region.
    struct Told {
        QByteArray definition;
        /// The number of the request that the daemon has not answered; 0: none.
        qint64 waiting = 0;
        bool isRefused = false;
    };

    void connectToDaemon();
    void dispatch();
    void setConnected(bool isConnected);
    void take(const gestured_reply &reply, const QVariantMap &line);
    QList<Region *> visibleRegions() const;
    void put(Region *region, const QByteArray &definition, const QString &below);
    void forget(const QString &id);

    QString m_socket, m_device, m_prefix = QStringLiteral("qml.");
    bool m_isConnected = false;
    gestured *m_client = nullptr;
    QSocketNotifier *m_notifier = nullptr;
    QList<Region *> m_regions;
    QHash<QString, Told> m_told;
    /// The ids of `m_told`, from the lowest to the topmost.
    QStringList m_order;
    qint64 m_devicesRequest = 0;
    QSizeF m_outputSize;
    int m_lastNumber = 0;
};
